import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { caller, startApp } from '../support/app.ts'
import { eventsOf, nextOf } from '../support/events.ts'

// HAProxy as deploy/ha has it in front of the service, with one process and few places.
const PROGRAM = '/usr/sbin/haproxy'
const skip = existsSync(PROGRAM) ? false : 'the package haproxy is not installed'
const PLACES = 20
const FEED_PLACES = 40

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
  while (!(await isReady())) {
    assert.equal(child.exitCode, null, 'haproxy ended')
    await sleep(50)
  }
  return call
}

test('requests that wait for events take no places from others, and are not cut', { skip }, async () => {
  const call = await start()
  const many = <T>(count: number, what: () => Promise<T>) => Promise.all(Array.from({ length: count }, what))
  const path = `${nextOf(await call('/v1/events?from=now&limit=1'))}&wait=9`
  const begun = performance.now()
  const waits = many(FEED_PLACES, () => call(path))
  await sleep(500)
  for (const { status } of await many(PLACES, () => call('/v1/pets'))) assert.equal(status, 200)
  // One more than there are places for: rejected by the balancer, as the service would do it.
  const { status, body, headers } = await call(path)
  assert.deepEqual([status, (body as { code: string }).code], [503, 'overloaded'])
  assert.ok(headers.get('request-id'))
  for (const answer of await waits) {
    assert.equal(answer.status, 200)
    assert.deepEqual(eventsOf(answer), [])
  }
  assert.ok(performance.now() - begun >= 8_900)
})
