import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { createOf, headOf, type Kind, runOpenLoop, type Sample } from '../open-loop/run.ts'
import { createKey, petstoreOn, ServiceProcess } from '../rig/service.ts'
import { SERVICE_ADDRESSES } from '../rig/site.ts'
import { until } from '../rig/until.ts'
import { StoreServer } from '../store-server.ts'
import { countStored } from '../stored.ts'
import { percentile } from '../under-load.ts'

/** What happens to the PostgreSQL of a store, until the signal, which ends it. */
interface Breakage {
  name: string
  /** Requests a second to that store. */
  perSecond?: number
  /** How long it lasts in the short form. */
  quickMs?: number
  /** Whether a process that starts meanwhile is tried: one that runs has seen that its schema is as it must be. */
  isFoundAtStart?: boolean
  /** Whether a process of which it is the live store is not ready for some time at least. */
  isSeenByReadiness?: boolean
  begin: (server: StoreServer, ended: AbortSignal) => Promise<() => Promise<void>>
}

const [STOPPED_MS, RUNS_MS] = [3_500, 300]
/** Longer than requests wait for a lost database, during which the process counts as ready. */
const LOST_QUICK_MS = 7_200
const NOTHING: Breakage = { name: 'well', begin: async () => async () => {} }
/** More than 1,000 requests arrive while it is stopped, which is as many as a process has places; and it never counts as lost. */
const SLOW: Breakage = {
  name: 'slow',
  perSecond: 500,
  begin: async (server, ended) => {
    const slowed = (async () => {
      while (!ended.aborted) {
        await server.freeze()
        await sleep(STOPPED_MS)
        await server.resume()
        await sleep(RUNS_MS)
      }
    })()
    return async () => await slowed
  },
}
const BREAKAGES: Breakage[] = [
  {
    name: 'killed',
    quickMs: LOST_QUICK_MS,
    isSeenByReadiness: true,
    begin: async (server) => {
      await server.kill()
      return () => server.startAgain()
    },
  },
  {
    name: 'silent',
    quickMs: LOST_QUICK_MS,
    isSeenByReadiness: true,
    begin: async (server) => {
      await server.freeze()
      return () => server.resume()
    },
  },
  SLOW,
  {
    name: 'full',
    begin: async (server) => {
      await server.fillDisk()
      return () => server.clearDisk()
    },
  },
  { name: 'outdated', isFoundAtStart: true, isSeenByReadiness: true, begin: (server) => server.makeOutdated() },
]

const STORES = ['sandbox', 'live'] as const
type StoreName = (typeof STORES)[number]

const [PER_SECOND, PER_SECOND_OF_OTHER] = [200, 150]
const [LASTS_MS, LASTS_QUICK_MS] = [24_000, 3_700]
const [BEFORE_MS, AFTER_MS] = [1_000, 1_000]
const BACK_WITHIN_MS = 60_000
const READY: Kind = { name: 'ready', bytes: headOf('GET', '/readyz') }
const SHARED_PLACES = new URL('../shared-places.ts', import.meta.url)

/** Of two stores in one process, one breaks. */
export const sandbox: Fault = {
  name: 'sandbox',
  injected: `PostgreSQL of the sandbox, then of the live store, is killed, frozen, stopped for ${STOPPED_MS / 1_000} of every ${(STOPPED_MS + RUNS_MS) / 1_000} s, without disk space, or outdated, under load of both keys`,
  invariant: 'no request of the other store fails; /readyz is that of the live store; each pet is in its own store',
  quick: true,
  run: breakEach,
}

interface Round {
  store: StoreName
  breakage: Breakage
  lastsMs: number
  /** In the name of each pet, after the store that it belongs to. */
  label: string
}

interface Both {
  service: ServiceProcess
  servers: Record<StoreName, StoreServer>
  keys: Record<StoreName, string>
}

async function breakEach(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting two PostgreSQL, and a process of the service for both …')
  const both = await start(stage, resources)
  const rounds = stage.sharesPlaces
    ? [{ store: 'sandbox' as const, breakage: SLOW }]
    : [
        { store: 'sandbox' as const, breakage: NOTHING },
        ...STORES.flatMap((store) => BREAKAGES.map((breakage) => ({ store, breakage }))),
      ]
  const [judged, all]: [Judged[], Record<StoreName, Sample[]>] = [[], { sandbox: [], live: [] }]
  for (const { store, breakage } of rounds) {
    const lastsMs = stage.quick ? (breakage.quickMs ?? LASTS_QUICK_MS) : LASTS_MS
    const samples = await play(both, { store, breakage, lastsMs, label: `${store} ${breakage.name}` })
    for (const each of STORES) all[each].push(...samples[each])
    const round = judge(store, breakage, samples)
    judged.push(round)
    stage.say(JSON.stringify(round))
  }
  const stored = await storedOf(both)
  const acked = (store: StoreName) => all[store].filter(({ status }) => status === 201).length
  const lost = STORES.reduce((sum, store) => sum + Math.max(0, acked(store) - stored[store].own), 0)
  const strays = STORES.reduce((sum, store) => sum + stored[store].strays, 0)
  return {
    times: rounds.length,
    acked: acked('live') + acked('sandbox'),
    lost,
    twice: stored.live.twice + stored.sandbox.twice,
    failed: judged.reduce((sum, { figures }) => sum + figures.failed, 0),
    strays,
    rounds: judged.map(({ figures }) => figures),
    broken: [
      ...judged.flatMap(({ figures, broken }) => broken.map((sentence) => `${figures.name}: ${sentence}`)),
      ...(lost > 0 ? [`${lost} confirmed pets are not in their store`] : []),
      ...(strays > 0 ? [`${strays} pets are in the other store`] : []),
    ],
  }
}

async function start(stage: Stage, resources: AsyncDisposableStack): Promise<Both> {
  const { site } = stage
  await mkdir(join(site.directory, 'log'), { recursive: true })
  const [live, test] = await Promise.all([
    StoreServer.start(site, 'live-store', resources),
    StoreServer.start(site, 'sandbox-store', resources),
  ])
  const variables = { DATABASE_URL: live.url, SANDBOX_DATABASE_URL: test.url }
  await petstoreOn({ DATABASE_URL: live.url }, 'migrate')
  await petstoreOn(variables, 'sandbox', 'create')
  const environment = {
    SANDBOX_DATABASE_URL: test.url,
    ...(stage.sharesPlaces && { NODE_OPTIONS: `--import=${SHARED_PLACES.href}` }),
  }
  const [address = ''] = SERVICE_ADDRESSES
  const service = new ServiceProcess(site, 'service-1', address, live.url, environment)
  service.start()
  resources.defer(() => service.end('SIGKILL'))
  const create = ['keys', 'create', '--name', 'faults', '--scope', 'all', '--test', '--json']
  const [key, made] = await Promise.all([createKey(live.url), petstoreOn(variables, ...create), service.ready()])
  const { key: testKey } = JSON.parse(made) as { key: string }
  return { service, servers: { live, sandbox: test }, keys: { live: key, sandbox: testKey } }
}

/** The load of both stores, while one of them breaks and is repaired. */
async function play(both: Both, { store, breakage, lastsMs, label }: Round) {
  const { service, servers } = both
  const server = servers[store]
  const ended = new AbortController()
  const begin = async () => await breakage.begin(server, ended.signal)
  let repair = async () => {}
  if (breakage.isFoundAtStart) {
    await service.end('SIGKILL')
    repair = await begin()
    service.start()
    await until('the service listens', BACK_WITHIN_MS, () => isOk(`${originOf(service)}/livez`))
  }
  const seconds = (BEFORE_MS + lastsMs + AFTER_MS) / 1_000
  const other = otherThan(store)
  const loading = Promise.all([
    load(both, store, label, { perSecond: breakage.perSecond ?? PER_SECOND, seconds }),
    load(both, other, label, { perSecond: PER_SECOND_OF_OTHER, seconds, more: [READY] }),
  ])
  await sleep(BEFORE_MS)
  if (!breakage.isFoundAtStart) repair = await begin()
  await sleep(lastsMs)
  ended.abort()
  await repair()
  const [ofStore, ofOther] = await loading
  await until(`the ${store} store is back`, BACK_WITHIN_MS, () =>
    isOk(`${originOf(service)}/v1/pets`, both.keys[store]),
  )
  await service.ready()
  return { [store]: ofStore, [other]: ofOther } as Record<StoreName, Sample[]>
}

async function load(
  { service, keys }: Both,
  store: StoreName,
  label: string,
  { more = [], ...pace }: { perSecond: number; seconds: number; more?: Kind[] },
) {
  const key = keys[store]
  const kinds = [createOf(key, `${store} ${label}`), { name: 'list', bytes: headOf('GET', '/v1/pets', key) }, ...more]
  return await runOpenLoop({ origin: originOf(service), kinds, ...pace, patienceMs: 12_000 })
}

type Judged = ReturnType<typeof judge>

function judge(store: StoreName, breakage: Breakage, samples: Record<StoreName, Sample[]>) {
  const isRequest = ({ kind }: Sample) => kind !== READY.name
  const hasFailed = ({ status }: Sample) => status !== 200 && status !== 201
  const requests = samples[otherThan(store)].filter(isRequest)
  const failed = requests.filter(hasFailed)
  const ready = samples[otherThan(store)].filter((sample) => !isRequest(sample))
  const notReady = ready.filter(hasFailed)
  const failedOfIt = samples[store].filter(hasFailed).length
  const times = requests.map(({ ms }) => ms)
  const isReady = notReady.length === 0
  const mustBeReady = store === 'sandbox' || breakage === NOTHING
  const figures = {
    name: `${store} ${breakage.name}`,
    ofOther: requests.length,
    failed: failed.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    failedOfIt,
    notReady: notReady.length,
    ofReadyz: ready.length,
  }
  return {
    figures,
    broken: [
      ...(failed[0] ? [`${failed.length} requests of the other store failed, the first with ${failed[0].status}`] : []),
      ...(mustBeReady && !isReady ? [`/readyz was ${notReady[0]?.status} ${notReady.length} times`] : []),
      ...(!mustBeReady && isReady && breakage.isSeenByReadiness ? ['/readyz was always 200'] : []),
      ...(notReady.some(({ status }) => status !== 503) ? ['/readyz was neither 200 nor 503'] : []),
      // Or the fault was none.
      ...(breakage !== NOTHING && failedOfIt === 0 ? ['no request of the broken store failed'] : []),
    ],
  }
}

/** By their names: how many pets of its own each database has, and how many of the other store. */
async function storedOf({ servers }: Both) {
  const countIn = async (store: StoreName) => {
    const own = await countStored(servers[store].url, store)
    const strays = await countStored(servers[store].url, otherThan(store))
    return { own: own.stored, twice: own.twice, strays: strays.stored }
  }
  return { live: await countIn('live'), sandbox: await countIn('sandbox') }
}

function otherThan(store: StoreName): StoreName {
  return store === 'live' ? 'sandbox' : 'live'
}

function originOf({ address }: ServiceProcess) {
  return `http://${address}:8080`
}

async function isOk(url: string, key?: string) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const { ok } = await fetch(url, { headers, signal: AbortSignal.timeout(2_000) })
  return ok
}
