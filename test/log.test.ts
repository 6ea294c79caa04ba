import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../src/log.ts'

function logTo(level: string) {
  const lines: string[] = []
  return { lines, ...openLog(level, { write: (line) => void lines.push(line) }) }
}

const ANSWER = { operation: 'getPet', method: 'GET', requestId: 'a-1', status: 200, keyId: 'key_1', ms: 1.25 }

test('the line of an answer is the one that the logger itself would write', () => {
  const { lines, log, logAnswer } = logTo('info')
  for (const answer of [ANSWER, { ...ANSWER, operation: undefined, keyId: undefined }]) {
    logAnswer(answer)
    log.info(answer, 'answered')
    assert.equal(lines.length, 2)
    const [own, usual] = lines.splice(0).map((line) => ({ ...(JSON.parse(line) as object), time: 0 }))
    assert.deepEqual(own, usual)
  }
})

test('no answer is told where only warnings are wanted', () => {
  const { lines, logAnswer } = logTo('warn')
  logAnswer(ANSWER)
  assert.deepEqual(lines, [])
})
