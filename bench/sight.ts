import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/cli/dev/embedded-postgres.ts'
import { type Load, measureService } from './measure.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { cpuSeconds, signalFamily } from './processes.ts'
import { markdownTable, whole } from './report.ts'
import { say, setUpStore } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { type Service, startService } from './service.ts'

const CONNECTIONS = 64
const ASKED = ['create', 'get', 'list']
const TURN_MS = 100

/** How much of the rate must be left, of that without metrics and logs, and of that without traces. */
interface Demand {
  logged: number
  traced: number
}

const DEMANDS: Demand = { logged: 0.95, traced: 0.97 }
/** In a few seconds one stall of the machine is more than what is looked for. */
const QUICK_DEMANDS: Demand = { logged: 0.85, traced: 0.85 }

const VARIANTS = ['silent', 'logged', 'traced'] as const
type Variant = (typeof VARIANTS)[number]
/** What a service has done while it was its turn. */
interface Work {
  requests: number
  seconds: number
  cpuSeconds: number
}
type Works = Record<Variant, Work>

export interface Cost {
  operation: string
  /** Requests a second. */
  rate: Record<Variant, number>
  /** Microseconds of the service for each. */
  cpu: Record<Variant, number>
  /** What is left of the rate. */
  share: Demand
}

interface Turn {
  variant: Variant
  from: number
  to: number
}

interface Contestant extends Service {
  metricsUrl: string | undefined
}

/**
 * What metrics, logs and traces cost: three services that differ in nothing else are under the same load, and only one of them
 * runs at a time, for a tenth of a second. Machines change their speed by more than what is looked for, from one second to the
 * next; so they do it to all three. And two processes of one program differ until they end, so all are started several times.
 */
export const sight: Scenario = async (resources, { quick, workers }) => {
  const plan = quick
    ? { starts: 1, warmUp: 6, seconds: 6, pets: 100_000 }
    : { starts: 6, warmUp: 9, seconds: 9, pets: 1_000_000 }
  const store = await setUpStore(resources, plan.pets)
  const collector = await startCollector(resources)
  const operations = OPERATIONS.filter(({ name }) => ASKED.includes(name))
  const works = new Map<string, Works[]>(operations.map(({ name }) => [name, []]))
  for (let start = 1; start <= plan.starts; start++) {
    await using started = new AsyncDisposableStack()
    const services = await startServices(started, store.databaseUrl, workers, collector.endpoint)
    const load = (operation: Operation, seconds: number) =>
      compareUnderLoad(services, store.key, operation, { connections: CONNECTIONS, seconds, pets: plan.pets })
    // What is done for one request in a hundred takes long to be compiled.
    for (const operation of operations) {
      say(`start ${start} of ${plan.starts}: warming up, ${operation.name} …`)
      await load(operation, plan.warmUp)
    }
    for (const operation of operations) {
      say(`start ${start} of ${plan.starts}: ${operation.name} …`)
      works.get(operation.name)?.push(await load(operation, plan.seconds))
    }
  }
  const costs = Array.from(works, ([operation, done]) => costOf(operation, done))
  return {
    setting: `\`WORKERS=${workers}\`, ${CONNECTIONS} connections, ${plan.starts} starts, ${whole(collector.spans())} spans taken`,
    figures: tableOf(costs),
    data: costs,
    missed: [
      ...tooDear(costs, quick ? QUICK_DEMANDS : DEMANDS),
      ...(collector.spans() > 0 ? [] : ['no span has reached the collector']),
    ],
  }
}

async function startServices(resources: AsyncDisposableStack, databaseUrl: string, workers: number, endpoint: string) {
  const begin = async (env: NodeJS.ProcessEnv): Promise<Contestant> => {
    const metricsUrl = env['ADMIN_PORT'] && `http://127.0.0.1:${env['ADMIN_PORT']}/metrics`
    return { ...resources.use(await startService(databaseUrl, workers, env)), metricsUrl }
  }
  return {
    silent: await begin({ LOG_LEVEL: 'silent' }),
    logged: await begin({ ADMIN_PORT: String(await freePort()) }),
    traced: await begin({ ADMIN_PORT: String(await freePort()), OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
  }
}

async function compareUnderLoad(
  services: Record<Variant, Contestant>,
  key: string,
  operation: Operation,
  load: Load,
): Promise<Works> {
  const before = eachVariant((variant) => cpuSeconds(services[variant].pid))
  const loads = eachVariant(async (variant) => {
    const { perSecond } = await measureService(services[variant].address, key, operation, load)
    return { requests: perSecond * load.seconds, endedAt: performance.now() }
  })
  const turns = await takeTurns(services, Promise.all(Object.values(loads)))
  const done = { silent: await loads.silent, logged: await loads.logged, traced: await loads.traced }
  return eachVariant((variant) => {
    const { requests, endedAt } = done[variant]
    const own = turns.filter((turn) => turn.variant === variant)
    const begunAt = endedAt - load.seconds * 1_000
    const ms = own.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, endedAt) - Math.max(from, begunAt)), 0)
    return { requests, seconds: ms / 1_000, cpuSeconds: cpuSeconds(services[variant].pid) - before[variant] }
  })
}

/** Until the end all but one are stopped by a signal, and so whatever they do in the background is done in their own turns. */
async function takeTurns(services: Record<Variant, Contestant>, end: Promise<unknown>) {
  const turns: Turn[] = []
  const over = new AbortController()
  void end.finally(() => over.abort()).catch(() => {}) // reported below
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT') =>
    eachVariant((variant) => signalFamily(services[variant].pid, signal))
  signalAll('SIGSTOP')
  try {
    for (let round = 0; !over.signal.aborted; round++) {
      // Back and forth, so that none is always behind the same one.
      for (const variant of round % 2 === 0 ? VARIANTS : VARIANTS.toReversed()) {
        const { pid, metricsUrl } = services[variant]
        const from = performance.now()
        signalFamily(pid, 'SIGCONT')
        // Once in some three seconds that it runs. Prometheus, as deploy/observability has it, comes every fifteen.
        await Promise.all([sleep(TURN_MS), round === 0 && metricsUrl && scrape(metricsUrl)])
        signalFamily(pid, 'SIGSTOP')
        turns.push({ variant, from, to: performance.now() })
      }
    }
  } finally {
    signalAll('SIGCONT')
  }
  await end
  return turns
}

async function scrape(url: string) {
  await (await fetch(url)).text()
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

/** What costs more than it may. Over all operations together: what one differs by is mostly the machine's doing. */
export function tooDear(costs: Cost[], demand: Demand) {
  const mean = (of: (cost: Cost) => number) => costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length
  const [logged, traced] = [mean(({ share }) => share.logged), mean(({ share }) => share.traced)]
  return [
    ...(logged >= demand.logged
      ? []
      : [`with metrics and logs ${logged.toFixed(3)} of the rate is left, not ${demand.logged}`]),
    ...(traced >= demand.traced ? [] : [`with traces ${traced.toFixed(3)} of that is left, not ${demand.traced}`]),
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

/** Takes spans and counts them. */
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
