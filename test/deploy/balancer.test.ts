import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { caller, postJson, startApp } from '../support/app.ts'
import { eventsOf, nextOf } from '../support/events.ts'
import { skipWithout } from '../support/installed.ts'
import { toolCall } from '../support/mcp.ts'
import { until } from '../support/until.ts'

// HAProxy as deploy/ha has it in front of the service, with one process and few places.
const PROGRAM = '/usr/sbin/haproxy'
const skip = skipWithout(PROGRAM, 'haproxy')
const PLACES = 20
// Fewer than one key may take: the service would not let the others wait.
const FEED_PLACES = 24
/** Longer than the others may take here. */
const WAIT_S = 4

async function start() {
  const app = await startApp()
  const address = `127.0.0.1:${await freePort()}`
  const folder = mkdtempSync(join(tmpdir(), 'petstore-balancer-'))
  cpSync('deploy/ha/errors', join(folder, 'errors'), { recursive: true })
  const configuration = readFileSync('deploy/ha/haproxy.cfg', 'utf8')
    .replace(/^listen primary.*?(?=^listen service)/ms, '')
    .replaceAll(/^ {2}(?:user|group) .*\n|^ {2}server s[23] .*\n/gm, '')
    .replace('10.0.0.254:8080', address)
    .replaceAll('10.0.0.11:8080', new URL(app.service.address).host)
    .replace('maxconn 256', `maxconn ${PLACES}`)
    .replace('maxconn 192', `maxconn ${FEED_PLACES}`)
    .replace('timeout server 15s', `timeout server ${WAIT_S - 1}s`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration)
  const child = spawn(PROGRAM, ['-db', '-f', file], { stdio: 'ignore' })
  after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  const call = caller(`http://${address}`, app.key)
  const isReady = () =>
    call('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    )
  await until(() => {
    assert.equal(child.exitCode, null, 'haproxy ended')
    return isReady()
  })
  return call
}

test('requests that wait for events take no places from others, and are not cut', { skip }, async () => {
  const call = await start()
  const many = <T>(count: number, what: () => Promise<T>) => Promise.all(Array.from({ length: count }, what))
  const path = `${nextOf(await call('/v1/events?from=now&limit=1'))}&wait=${WAIT_S}`
  const begun = performance.now()
  // One more than there are places for: it is rejected by the balancer, as the service would do it, when it has queued for a second.
  const paths = [path, path.replace('events', '%65vents')]
  const waits = Array.from({ length: FEED_PLACES + 1 }, (_, i) => call(paths[i % 2]!))
  const { status, body, headers } = await Promise.race(waits)
  assert.deepEqual([status, (body as { code: string }).code], [503, 'overloaded'])
  assert.ok(headers.get('request-id'))
  for (const answer of await many(PLACES, () => call('/v1/pets'))) assert.equal(answer.status, 200)
  const answers = (await Promise.all(waits)).filter((answer) => answer.status === 200)
  assert.equal(answers.length, FEED_PLACES)
  for (const answer of answers) assert.deepEqual(eventsOf(answer), [])
  assert.ok(performance.now() - begun >= WAIT_S * 1_000 - 100)
})

test('nor do tools that wait for events', { skip }, async () => {
  const call = await start()
  const begun = performance.now()
  const wait = toolCall('read_events', { from: 'now', wait: WAIT_S })
  const waits = Array.from({ length: PLACES + 1 }, () => call('/v1/mcp', postJson(wait)))
  assert.equal((await call('/v1/pets')).status, 200)
  for (const { status, text } of await Promise.all(waits)) assert.equal(status, 200, text)
  assert.ok(performance.now() - begun >= WAIT_S * 1_000 - 100)
})
