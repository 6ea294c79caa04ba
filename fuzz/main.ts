import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { MAX_CPU_MS, Meter, shorten } from './cost.ts'
import { showProgress } from './progress.ts'
import { repeatLines } from './repeat.ts'
import { type Finding, fuzz, type Regression } from './run.ts'
import { type Service, startService } from './service.ts'
import { Store } from './store.ts'
import { vitalsOf, whatIsKept } from './vitals.ts'
import { Wire } from './wire.ts'

// npm run fuzz -- --requests N [--seed S] [--base-url URL --key KEY [--earlier-key KEY] [--pid PID]] [--regressions FILE]
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    'base-url': { type: 'string' },
    key: { type: 'string', default: process.env['PETSTORE_KEY'] ?? '' },
    'earlier-key': { type: 'string' },
    pid: { type: 'string' },
    regressions: { type: 'string', default: new URL('regressions.json', import.meta.url).pathname },
  },
})
const requests = readCount('requests')
const seed = readCount('seed')
const kept = JSON.parse(await readFile(values.regressions, 'utf8')) as Regression[]

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
await using resources = new AsyncDisposableStack()
const baseUrl = values['base-url']
const own = baseUrl === undefined ? resources.use(await startService(process.env['DATABASE_URL'])) : undefined
const { address, key } = own ?? { address: readAddress(baseUrl ?? ''), key: values.key }
const store = new Store(key, own?.earlierKey ?? values['earlier-key'])

const before = own && (await vitalsOf(own.pid))
const started = performance.now()
const measured = own?.pid ?? (values.pid === undefined ? undefined : readCount('pid'))
// Only Linux counts in nanoseconds.
const meter = measured !== undefined && process.platform === 'linux' ? new Meter(measured) : undefined
const wire = new Wire(address, meter)
const progress = showProgress(wire, requests)
const findings = await fuzz({ wire, store }, requests, seed, kept)
const costs = (await meter?.worst((sent) => wire.exchange(sent))) ?? []
progress.stop()
const seconds = Math.round((performance.now() - started) / 100) / 10
await wire[Symbol.asyncDispose]()
const unhealthy = own && (await unhealthyBecause(own))
if (unhealthy !== undefined) findings.push({ violation: { message: unhealthy, sent: [] } })

const costliest = costs.map(({ ms, sent }) => ({
  ms: Math.round(ms * 100) / 100,
  request: shorten(sent, key).replaceAll(store.earlier, '$EARLIER_KEY'),
}))
const tooCostly = costliest.filter(({ ms }) => ms > MAX_CPU_MS)

for (const finding of findings) report(finding)
const added = findings.flatMap(({ regression }) => regression ?? [])
if (added.length > 0) await writeFile(values.regressions, `${JSON.stringify([...kept, ...added], null, 2)}\n`)

const { byStatus } = wire
const serverErrors = Object.entries(byStatus).reduce((sum, [status, count]) => sum + (status >= '500' ? count : 0), 0)
const violations = findings.length + tooCostly.length
if (meter) reportCosts(meter)
console.log(JSON.stringify({ requests: wire.requests, byStatus, serverErrors, violations, seed, seconds, costliest }))
process.exitCode = violations === 0 && serverErrors === 0 ? 0 : 1

async function unhealthyBecause({ ended, pid }: Service) {
  const words = ended()
  if (words !== undefined) return `the service exited on its own:\n${words}`
  return before && whatIsKept(pid, before)
}

/** For a person: what was wrong, and the commands that reproduce it. */
function report({ violation }: Finding) {
  const lines = repeatLines(violation.sent, address, key).map(
    (line) => `  ${line.replaceAll(store.earlier, `'"$EARLIER_KEY"$'`)}\n`,
  )
  const message = violation.message.replaceAll(key, '$PETSTORE_KEY').replaceAll(store.earlier, '$EARLIER_KEY')
  process.stderr.write(`\nviolation: ${message}\n${lines.join('')}`)
}

function reportCosts({ measured: count }: Meter) {
  const lines = costliest.map(({ ms, request }) => `${ms.toFixed(2).padStart(8)} ms  ${request}\n`)
  process.stderr.write(`\nmost CPU of ${count} exchanges sent alone (minimum of five repetitions):\n${lines.join('')}`)
  if (tooCostly.length > 0)
    process.stderr.write(`\nviolation: ${tooCostly.length} of them use more than ${MAX_CPU_MS} ms of CPU\n`)
}

function readCount(name: 'requests' | 'seed' | 'pid') {
  if (!/^[0-9]{1,9}$/.test(values[name] ?? '')) throw new Error(`--${name} must be a number of at most nine digits.`)
  return Number(values[name])
}

/** The service's own sockets are what is fuzzed: no TLS, no proxy with another path before it. */
function readAddress(url: string) {
  const { protocol, pathname, origin } = new URL(url)
  if (protocol !== 'http:' || !/^\/(?:v1\/?)?$/.test(pathname))
    throw new Error('--base-url takes a URL like http://127.0.0.1:8080/v1.')
  return origin
}
