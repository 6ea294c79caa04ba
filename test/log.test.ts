import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog, type ResponseRecord } from '../src/telemetry/log.ts'

function logTo(level: string) {
  const lines: string[] = []
  return { lines, ...openLog(level, { write: (line) => void lines.push(line) }) }
}

const ANSWER: ResponseRecord = {
  path: '/v1/pets/:petId',
  operation: 'getPet',
  method: 'GET',
  requestId: 'a-1',
  ids: undefined,
  status: 200,
  keyId: 'key_1',
  store: undefined,
  client: undefined,
  ms: 1.25,
  trace_id: undefined,
  code: undefined,
  reason: undefined,
  tool: undefined,
}
const FAILED: ResponseRecord = {
  ...ANSWER,
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  code: 'unavailable',
  reason: 'the database said "no"',
  tool: 'find_pets',
}

test('the line of a response is the one that the logger itself would write', () => {
  const { lines, log, logResponse } = logTo('debug')
  const answers = [
    ['info', ANSWER],
    ['info', { ...ANSWER, path: undefined, operation: undefined, keyId: undefined }],
    ['info', { ...ANSWER, status: 429, client: '2001:db8:0:1::/64', code: 'rate_limited' }],
    ['debug', { ...ANSWER, path: '/livez', operation: undefined }],
    ['debug', { ...FAILED, path: '/readyz', status: 503, operation: undefined }],
    ['info', { ...ANSWER, status: 404, code: 'pet_not_found' }],
    ['warn', { ...FAILED, status: 503 }],
    ['error', { ...FAILED, status: 500 }],
  ] as const
  for (const [level, answer] of answers) {
    logResponse?.(answer)
    log[level](answer, 'request completed')
    assert.equal(lines.length, 2)
    const [own, usual] = lines.splice(0).map((line) => ({ ...(JSON.parse(line) as object), time: 0 }))
    assert.deepEqual(own, usual)
  }
})

test('the ids of the path are fields of the line', () => {
  const { lines, logResponse } = logTo('info')
  logResponse?.({ ...ANSWER, ids: ',"petId":9007199254740991' })
  const { petId, requestId, status } = JSON.parse(lines[0]!) as Record<string, unknown>
  assert.deepEqual({ petId, requestId, status }, { petId: 9007199254740991, requestId: 'a-1', status: 200 })
})

test('at the level of warnings, failures are logged and no other response', () => {
  const { lines, logResponse } = logTo('warn')
  for (const status of [200, 404, 503, 500]) logResponse?.({ ...FAILED, status })
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as ResponseRecord).status),
    [503, 500],
  )
})

test('health checks are logged only where debugging is wanted', () => {
  const { lines, logResponse } = logTo('info')
  for (const path of ['/livez', '/readyz']) logResponse?.({ ...FAILED, path, status: 503 })
  assert.deepEqual(lines, [])
})

test('a silent log receives no response at all', () => {
  assert.equal(logTo('silent').logResponse, undefined)
})

test('of an error its kind, message, code and stack are logged, and no other property', () => {
  const { lines, log } = logTo('info')
  const error = Object.assign(new TypeError('lost'), { code: 'ECONNRESET', client: { user: 'petstore' } })
  log.warn({ err: error }, 'it failed')
  const { err } = JSON.parse(lines[0]!) as { err: object }
  assert.deepEqual(err, { type: 'TypeError', message: 'lost', code: 'ECONNRESET', stack: error.stack })
})
