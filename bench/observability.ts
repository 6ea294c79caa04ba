import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { freePort } from '../src/cli/dev/embedded-postgres.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { markdownTable, whole } from './report.ts'
import { log, type Store, setUpStore } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { startService } from './service.ts'
import { type Contestant, compareInTurns, type Work } from './turns.ts'

const CONNECTIONS = 64
const MEASURED = ['create', 'get', 'list']

/** The share of the rate that must remain: with metrics and logs, and with traces on top of those. */
interface Targets {
  logged: number
  traced: number
}

const TARGETS: Targets = { logged: 0.95, traced: 0.97 }
/** In a few seconds one stall of the machine outweighs the cost that is measured. */
const QUICK_TARGETS: Targets = { logged: 0.85, traced: 0.85 }

const VARIANTS = ['silent', 'logged', 'traced'] as const
type Variant = (typeof VARIANTS)[number]
type Works = Record<Variant, Work>

export interface Cost {
  operation: string
  /** Requests a second. */
  rate: Record<Variant, number>
  /** Microseconds of the service for each. */
  cpu: Record<Variant, number>
  /** The share of the rate that remains. */
  share: Targets
}

/** What metrics, logs and traces cost: three services that differ in nothing else, in turns. */
export const observability: Scenario = async (resources, { quick, workers }) => {
  const plan = quick
    ? { starts: 1, warmUp: 6, seconds: 6, pets: 100_000 }
    : { starts: 6, warmUp: 9, seconds: 9, pets: 1_000_000 }
  const store = await setUpStore(resources, plan.pets)
  const collector = await startCollector(resources)
  const operations = OPERATIONS.filter(({ name }) => MEASURED.includes(name))
  const works = new Map<string, Works[]>(operations.map(({ name }) => [name, []]))
  for (let start = 1; start <= plan.starts; start++) {
    await using started = resources.use(new AsyncDisposableStack())
    const services = await startServices(started, store, workers, collector.endpoint)
    const load = (operation: Operation, seconds: number) =>
      compareInTurns(services, operation, { connections: CONNECTIONS, seconds, pets: plan.pets })
    // Code that runs for one request in a hundred is compiled late.
    for (const operation of operations) {
      log(`start ${start} of ${plan.starts}: warming up, ${operation.name} …`)
      await load(operation, plan.warmUp)
    }
    for (const operation of operations) {
      log(`start ${start} of ${plan.starts}: ${operation.name} …`)
      const [silent, logged, traced] = await load(operation, plan.seconds)
      if (!silent || !logged || !traced) throw new Error('unreachable')
      works.get(operation.name)?.push({ silent, logged, traced })
    }
  }
  const costs = Array.from(works, ([operation, done]) => costOf(operation, done))
  return {
    setting: `\`WORKERS=${workers}\`, ${CONNECTIONS} connections, ${plan.starts} starts, ${whole(collector.spans())} spans received`,
    figures: tableOf(costs),
    data: costs,
    missed: [
      ...tooExpensive(costs, quick ? QUICK_TARGETS : TARGETS),
      ...(collector.spans() > 0 ? [] : ['no span reached the collector']),
    ],
  }
}

/** In the order of `VARIANTS`. */
async function startServices(resources: AsyncDisposableStack, store: Store, workers: number, endpoint: string) {
  const environments: NodeJS.ProcessEnv[] = [
    { LOG_LEVEL: 'silent' },
    { ADMIN_PORT: String(await freePort()) },
    { ADMIN_PORT: String(await freePort()), OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  ]
  const services: Contestant[] = []
  for (const env of environments) {
    const metricsUrl = env['ADMIN_PORT'] && `http://127.0.0.1:${env['ADMIN_PORT']}/metrics`
    const service = resources.use(await startService(store.databaseUrl, workers, env))
    services.push({ ...service, key: store.key, metricsUrl })
  }
  return services
}

function eachVariant<T>(of: (variant: Variant) => T): Record<Variant, T> {
  return { silent: of('silent'), logged: of('logged'), traced: of('traced') }
}

function costOf(operation: string, works: Works[]): Cost {
  const total = (variant: Variant, what: keyof Work) => works.reduce((sum, work) => sum + work[variant][what], 0)
  const rate = eachVariant((variant) => total(variant, 'requests') / total(variant, 'seconds'))
  const cpu = eachVariant((variant) => (total(variant, 'cpuSeconds') * 1e6) / total(variant, 'requests'))
  return { operation, rate, cpu, share: { logged: rate.logged / rate.silent, traced: rate.traced / rate.logged } }
}

/** What costs more than it may, over all operations together: a single one differs mostly by chance. */
export function tooExpensive(costs: Cost[], targets: Targets) {
  const mean = (of: (cost: Cost) => number) => costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length
  const [logged, traced] = [mean(({ share }) => share.logged), mean(({ share }) => share.traced)]
  return [
    ...(logged >= targets.logged
      ? []
      : [`with metrics and logs ${logged.toFixed(3)} of the rate remains, not ${targets.logged}`]),
    ...(traced >= targets.traced ? [] : [`with traces ${traced.toFixed(3)} of that remains, not ${targets.traced}`]),
  ]
}

function tableOf(costs: Cost[]) {
  const head = [
    'operation',
    ...VARIANTS.map((variant) => `${variant} /s`),
    'logged / silent',
    'traced / logged',
    ...VARIANTS.map((variant) => `CPU ${variant}`),
  ]
  const rows = costs.map(({ operation, rate, cpu, share }) => [
    operation,
    ...VARIANTS.map((variant) => whole(rate[variant])),
    share.logged.toFixed(3),
    share.traced.toFixed(3),
    ...VARIANTS.map((variant) => `${cpu[variant].toFixed(1)} µs`),
  ])
  return markdownTable(head, rows)
}

/** Counts the spans that it receives. */
async function startCollector(resources: AsyncDisposableStack) {
  let spans = 0
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    spans += (await text(request)).split('"spanId"').length - 1
    response.setHeader('content-type', 'application/json').end('{}')
  }
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  resources.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans: () => spans }
}
