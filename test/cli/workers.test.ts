import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { WorkerProcess } from '../../src/cli/serve/worker-process.ts'
import { readConfig } from '../../src/config.ts'
import { revoke } from '../../src/storage/keys/changes.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { type Answer, caller } from '../support/app.ts'
import { Creators } from '../support/creators.ts'
import { createDatabase } from '../support/database.ts'
import { createTestKey } from '../support/factories.ts'
import { petstore, petstoreProcess, serve } from '../support/process.ts'
import { watch } from '../support/secrets.ts'

const { url, pool } = await createDatabase()
const { key } = await createTestKey(pool)
const adminPort = String(await freePort())
const service = await serve(url, { WORKERS: '2', ADMIN_PORT: adminPort })
const call = caller(service.address, key)
const CALLS = 24
const readMetrics = async () => {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  watch('the metrics', text)
  return text
}
/** Lists, each on a connection of its own, which the kernel gives to any worker. */
async function listOften(withKey = key) {
  const answers: Answer[] = []
  while (answers.length < CALLS)
    answers.push(await call('/v1/pets', { key: withKey, headers: { connection: 'close' } }))
  return answers.map(({ status }) => status)
}

test('it says that it listens once, when every worker does', async () => {
  const listening = `listening at ${service.address}`
  // Lines of several processes may come in any order: each gathers its own for a moment.
  const metrics = `Metrics at http://127.0.0.1:${adminPort}/metrics`
  const times = () =>
    ['starting', metrics, `Worker ${listening}`, `Server ${listening}`].map((text) => timesSaid(service, text))
  await heard(service, () => times().every((count) => count > 0) && workersOf(service).length > 1)
  assert.deepEqual(times(), [1, 1, 2, 1])
})

test('every worker responds, and the metrics add up', async () => {
  await listOften()
  await heard(service, () => timesSaid(service, 'request completed') === CALLS)
  const answered = logOf(service).filter(({ msg }) => msg === 'request completed')
  assert.deepEqual(new Set(answered.map(({ pid }) => pid)), new Set(workersOf(service)))
  const metrics = await readMetrics()
  assert.equal(listed(metrics), CALLS)
  assert.match(metrics, /^process_start_time_seconds 1[0-9]{9}$/m)
})

test('a worker that does not respond delays the metrics by a second, and removes nothing from them', async () => {
  const worker = await firstWorkerOf(service)
  process.kill(worker, 'SIGSTOP')
  const asked = performance.now()
  const metrics = await readMetrics()
  process.kill(worker, 'SIGCONT')
  assert.ok(performance.now() - asked < 2_000)
  assert.equal(listed(metrics), CALLS)
  // It may hang for good: it is there, and not ready.
  assert.match(metrics, /^petstore_processes 2$/m)
  assert.match(metrics, /^petstore_processes_ready 1$/m)
})

test('a worker that is killed is replaced, requests continue, and no counter decreases', async () => {
  const killed = await firstWorkerOf(service)
  process.kill(killed, 'SIGKILL')
  await heard(service, () => workersOf(service).length === 3)
  const logged = logOf(service).find(({ worker }) => worker === killed)!
  assert.equal(logged.how, 'SIGKILL')
  // On a slow machine it may have run for so long that there is no pause.
  assert.match(logged.msg, /another will start in (100|0) ms/)
  for (const status of await listOften()) assert.equal(status, 200)
  await heard(service, () => timesSaid(service, 'request completed') === 2 * CALLS)
  const replacement = workersOf(service)[2]
  assert.ok(logOf(service).some(({ pid, msg }) => pid === replacement && msg === 'request completed'))
  assert.equal(listed(await readMetrics()), 2 * CALLS)
})

test('a revoked key is rejected by every worker within a second', async () => {
  const leaked = await createTestKey(pool)
  for (const status of await listOften(leaked.key)) assert.equal(status, 200)
  await using db = new Database(url, () => {})
  await revoke(db, leaked.id, 'tester@test')
  const revoked = performance.now()
  while ((await listOften(leaked.key)).some((status) => status !== 401)) assert.ok(performance.now() - revoked < 1_000)
})

test('a second service on the same port fails, and is not mixed with the first', async () => {
  const { port } = new URL(service.address)
  const { code, stderr, stdout } = await petstore(['serve'], {
    DATABASE_URL: url,
    WORKERS: '2',
    PORT: port,
    ADMIN_PORT: '0',
  })
  assert.equal(code, 1)
  assert.ok(!stdout.includes('listening'))
  assert.match(stderr, /^petstore: The port is taken: 127\.0\.0\.1:\d+ is in use by another process\..* PORT/)
})

test('a signal under load, to every process as Ctrl-C sends it: every request gets its response, nothing is lost, and all exit', async () => {
  const creators = new Creators(call, 8)
  while (creators.confirmed.length < 200) await call('/livez')
  const closed = once(service.child, 'close')
  creators.draining = true
  for (const pid of [service.child.pid!, ...workersOf(service).slice(1)]) process.kill(pid, 'SIGINT')
  await creators.gone
  // Closed is when no process holds its output any more.
  assert.deepEqual(await closed, [0, null])
  assert.equal(timesSaid(service, 'stopped'), 2)
  await creators.assertAllStored(pool)
})

// These wait most of the time.
describe('ends', { concurrency: true }, () => {
  test('SIGTERM makes every worker drain, and a second one ends all at once', async () => {
    const started = await serve(url, { WORKERS: '2' })
    const closed = once(started.child, 'close')
    started.child.kill('SIGTERM')
    await heard(started, () => timesSaid(started, 'draining') === 2)
    started.child.kill('SIGTERM')
    assert.deepEqual(await closed, [null, 'SIGTERM'])
    assert.equal(timesSaid(started, 'stopped'), 0)
  })

  test('the workers of a supervisor that was killed drain and end by themselves', async () => {
    const started = await serve(url, { WORKERS: '2' })
    const closed = once(started.child, 'close')
    started.child.kill('SIGKILL')
    await closed
    assert.equal(timesSaid(started, 'stopped'), 2)
  })

  test('a worker that is killed before it has drained delays nothing, and is logged', async () => {
    const started = await serve(url, { WORKERS: '2' })
    const frozen = await firstWorkerOf(started)
    process.kill(frozen, 'SIGSTOP')
    const closed = once(started.child, 'close')
    started.child.kill('SIGTERM')
    await heard(started, () => timesSaid(started, 'draining') === 1)
    process.kill(frozen, 'SIGKILL')
    assert.deepEqual(await closed, [0, null])
    const logged = logOf(started).find(({ msg }) => msg === 'a worker ended before it had drained')
    assert.deepEqual([logged?.worker, logged?.how], [frozen, 'SIGKILL'])
  })

  test('a worker that hangs is killed after the drain timeout', async () => {
    const worker = new WorkerProcess(0, process.env)
    process.kill(worker.pid!, 'SIGSTOP')
    assert.equal(await worker.stop(0, 50), 'SIGKILL')
  })

  test('workers that can not start end the whole, and say why', async () => {
    const { code, stderr } = await petstoreProcess(['serve'], {
      DATABASE_URL: `${url}?sslrootcert=/nowhere.pem`,
      WORKERS: '2',
      PORT: '0',
      ADMIN_PORT: '0',
    })
    assert.equal(code, 1)
    assert.match(stderr, /^petstore: .*\/nowhere\.pem/m)
    assert.match(stderr, /^petstore: A worker ended while it was starting \(exit code 1\)/m)
  })
})

test('a worker can not be started by hand', async () => {
  const { code, stderr } = await petstoreProcess(['worker', '8080'], { DATABASE_URL: url })
  assert.equal(code, 2)
  assert.match(stderr, /as many as WORKERS says/)
})

test('WORKERS is a number from 1 to 64', () => {
  const workers = (text: string) => readConfig({ DATABASE_URL: url, WORKERS: text }).workers
  assert.deepEqual(['', '1', '64'].map(workers), [1, 1, 64])
  for (const text of ['0', '65', '-1', '1.5', '1e1', ' 2', 'two'])
    assert.throws(() => workers(text), /WORKERS must be a number of processes from 1 to 64/, text)
})

interface Line {
  pid: number
  msg: string
  worker?: number
  how?: string
}

type Started = Awaited<ReturnType<typeof serve>>

/** Every whole line of the log so far. */
function logOf({ output }: Started) {
  const lines = output.stdout.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Line)
}

/** Waits until the log is such. */
async function heard({ child }: Started, condition: () => boolean) {
  while (!condition()) await once(child.stdout, 'data')
}

function timesSaid(started: Started, text: string) {
  return logOf(started).filter(({ msg }) => msg === text).length
}

/** The workers that have ever listened, in that order. */
function workersOf(started: Started) {
  return logOf(started).flatMap(({ pid, msg }) => (msg.startsWith('Worker listening') ? [pid] : []))
}

/** Its line may come later than that of the supervisor, which says that all listen. */
async function firstWorkerOf(started: Started) {
  await heard(started, () => workersOf(started).length > 0)
  return workersOf(started)[0]!
}

/** How many lists were returned, by the metrics. */
function listed(metrics: string) {
  return Number(/_count\{operation="listPets",status="200"\} ([0-9]+)$/m.exec(metrics)?.[1])
}
