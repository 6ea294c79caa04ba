import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Job, JobRunner, pause } from '../../src/jobs/runner.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { asLeader } from '../../src/storage/postgres/leader.ts'
import { createDatabase } from '../support/database.ts'

const { url } = await createDatabase()

/** A runner with one job, and what it has logged. */
function open(job: Partial<Job>, isLogged = (_error: unknown) => false) {
  const lines: string[] = []
  const note = (_details: object, message: string) => lines.push(message)
  const whole = { task: 'sweep', intervalMs: 1, failure: 'could not sweep', run: async () => {}, ...job }
  return { jobs: new JobRunner([whole], { log: { info: note, warn: note }, isLogged }), lines }
}

test('a job that fails is repeated; every failure is counted, and only changes are logged', async () => {
  const done = Promise.withResolvers<void>()
  let rounds = 0
  const { jobs, lines } = open({
    async run() {
      if (++rounds === 9) done.resolve()
      if ([2, 3, 4, 7].includes(rounds)) throw new Error('no broom')
    },
  })
  jobs.start()
  await done.promise
  await jobs[Symbol.asyncDispose]()
  assert.deepEqual(jobs.failures, { sweep: 4 })
  const works = 'the background task works again'
  assert.deepEqual(lines, ['could not sweep', works, 'could not sweep', works])
})

test('a failure whose cause the log has already is counted, and not logged', async () => {
  const done = Promise.withResolvers<void>()
  let rounds = 0
  const lost = new Error('the database is lost')
  const { jobs, lines } = open(
    {
      async run() {
        if (++rounds === 4) done.resolve()
        if (rounds < 3) throw lost
      },
    },
    (error) => error === lost,
  )
  jobs.start()
  await done.promise
  await jobs[Symbol.asyncDispose]()
  assert.deepEqual([jobs.failures, lines], [{ sweep: 2 }, []])
})

test('at its end the runner waits for the round under way, which it asks to stop, and then finishes the job once', async () => {
  const events: string[] = []
  const started = Promise.withResolvers<void>()
  const { jobs } = open({
    async run(closing) {
      started.resolve()
      events.push((await pause(60_000, closing)) ? 'waited' : 'stopped')
    },
    finish: async () => void events.push('finished'),
  })
  jobs.start()
  await started.promise
  await jobs[Symbol.asyncDispose]()
  assert.deepEqual(events, ['stopped', 'finished'])
})

test('one process at a time does what only one may do, and a lock ends with its transaction', async () => {
  await using one = new Database(url, () => {})
  await using other = new Database(url, () => {})
  const inner = asLeader(one.background, 1, () => asLeader(other.background, 1, async () => 'both'))
  assert.equal(await inner, undefined)
  const rejected = asLeader(one.background, 1, async () => {
    throw new Error('died')
  })
  await assert.rejects(rejected, /died/)
  assert.equal(await asLeader(other.background, 1, async () => 'next'), 'next')
})
