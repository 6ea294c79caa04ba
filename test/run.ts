import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { run } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { globalSetup, globalTeardown } from './support/global-setup.ts'
import { FIRST, WAITING } from './support/waiting.ts'

// npm test [-- FILE…]
//
// Runs all tests, or those of these files, in two pools at once. Files that mostly wait leave the cores idle unless many of them run at
// a time; files that compute only disturb each other if more than one for each core does.

const FILES_AT_A_TIME = { waiting: 4, computing: 2 }
const TEST_TIMEOUT_MS = 120_000
/** What each pool reports at its end; it is printed once, for both. */
const SUMMARY = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /

const named = process.argv.slice(2)
const files = (named.length > 0 ? named : globSync('test/**/*.test.ts').toSorted()).map((file) => resolve(file))
const first = FIRST.map((file) => resolve(file))
const waiting = WAITING.map((file) => resolve(file))
const computing = files.filter((file) => !first.includes(file) && !waiting.includes(file))
// Every file is a process of its own, which would compile the whole service again: half of what most of them cost.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/petstore-tests')
// In MiB: a process that lives for seconds collects garbage mostly while it loads its modules, unless it has more room for it.
const execArgv = ['--min-semi-space-size=16']

const counts = { tests: 0, passed: 0, cancelled: 0, skipped: 0, todo: 0 }
const failures: string[] = []
/** Of a pool: a suite whose hook failed is in no count. */
const successes: boolean[] = []
const started = performance.now()
try {
  await globalSetup()
  const reporter = new spec()
  reporter.pipe(process.stdout, { end: false })
  await Promise.all([
    runPool(first, 1, reporter).then(() => runPool(waiting, FILES_AT_A_TIME.waiting, reporter)),
    runPool(computing, FILES_AT_A_TIME.computing, reporter),
  ])
  reporter.end()
  await finished(reporter)
} finally {
  await globalTeardown()
}
// Each pool has printed why somewhere above.
if (failures.length > 0) console.log(`\n${failures.join('\n')}`)
const { tests, passed: pass, ...rest } = counts
const fail = tests - pass - rest.cancelled - rest.skipped - rest.todo
const summary = { tests, pass, fail, ...rest, duration_ms: performance.now() - started }
for (const [name, value] of Object.entries(summary)) console.log(`ℹ ${name} ${Math.round(value)}`)
process.exitCode = tests > 0 && successes.every(Boolean) ? 0 : 1

async function runPool(pool: string[], concurrency: number, reporter: Writable) {
  const chosen = pool.filter((file) => files.includes(file))
  if (chosen.length === 0) return
  const stream = run({ files: chosen, concurrency, execArgv, timeout: TEST_TIMEOUT_MS })
  for await (const event of stream as AsyncIterable<TestEvent>) {
    if (event.type === 'test:diagnostic' && event.data.file === undefined && SUMMARY.test(event.data.message)) continue
    if (event.type === 'test:summary' && event.data.file === undefined) {
      successes.push(event.data.success)
      for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += event.data.counts[name]
    }
    if (event.type === 'test:fail' && event.data.todo === undefined)
      failures.push(`✖ ${event.data.name} (${relative('.', event.data.file ?? '')})`)
    reporter.write(event)
  }
}
