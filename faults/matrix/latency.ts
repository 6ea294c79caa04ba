import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { FaultyWire } from '../faulty-wire.ts'
import { createOf, headOf, runOpenLoop, type Sample } from '../open-loop/run.ts'
import { openStore, startServices } from '../store.ts'
import { countStored } from '../stored.ts'
import { percentile } from '../under-load.ts'

interface Slowness {
  name: string
  delayMs: number
  bytesPerSecond: number
}

const UNBOUNDED = Number.POSITIVE_INFINITY
const SLOWNESSES: Slowness[] = [
  { name: '+0 ms', delayMs: 0, bytesPerSecond: UNBOUNDED },
  { name: '+5 ms', delayMs: 5, bytesPerSecond: UNBOUNDED },
  { name: '+50 ms', delayMs: 50, bytesPerSecond: UNBOUNDED },
  { name: '+500 ms', delayMs: 500, bytesPerSecond: UNBOUNDED },
  { name: '1 Mbit/s', delayMs: 0, bytesPerSecond: 125_000 },
]
const PER_SECOND = 400
const [LASTS_MS, LASTS_QUICK_MS] = [15_000, 4_000]
const [BEFORE_MS, RECOVERY_MS, AFTER_MS] = [1_000, 5_000, 8_000]

/** A network that works, but slowly. */
export const latency: Fault = {
  name: 'latency',
  injected: 'every response of the database comes 5, 50 or 500 ms later, or through 1 Mbit/s',
  invariant: 'only success or 503; recovered 5 s after the end; no acknowledged pet is missing',
  run: slowDown,
}

async function slowDown(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and a process of the service …')
  const { databaseUrl, key } = await openStore(stage, resources)
  const { proxy, url } = await FaultyWire.toDatabase(databaseUrl)
  resources.use(proxy)
  const [service] = await startServices(stage, resources, url)
  const label = `latency ${Date.now()}`
  const lastsMs = stage.quick ? LASTS_QUICK_MS : LASTS_MS
  const curve: ReturnType<typeof judge>[] = []
  const all: Sample[] = []
  for (const slowness of SLOWNESSES) {
    const kinds = [createOf(key, `${label} ${slowness.name}`), { name: 'list', bytes: headOf('GET', '/v1/pets', key) }]
    const seconds = (BEFORE_MS + lastsMs + AFTER_MS) / 1_000
    const [samples] = await Promise.all([
      runOpenLoop({
        origin: `http://${service?.address}:8080`,
        kinds,
        perSecond: PER_SECOND,
        seconds,
        patienceMs: 12_000,
      }),
      sleep(BEFORE_MS).then(() => set(proxy, slowness)),
      sleep(BEFORE_MS + lastsMs).then(() => set(proxy, { delayMs: 0, bytesPerSecond: UNBOUNDED })),
    ])
    all.push(...samples)
    const judged = judge(slowness.name, samples, lastsMs)
    curve.push(judged)
    stage.say(JSON.stringify(judged))
  }
  const acked = all.filter(({ status }) => status === 201).length
  const { stored, twice } = await countStored(databaseUrl, label)
  const lost = Math.max(0, acked - stored)
  return {
    times: curve.length,
    acked,
    lost,
    twice,
    failed: all.filter(({ status }) => status === 0 || status >= 300).length,
    perSecond: PER_SECOND,
    curve,
    broken: [
      ...(lost > 0 ? [`${lost} confirmed pets are not stored`] : []),
      ...curve.flatMap(({ name, others, recovered }) => [
        ...(others === 0 ? [] : [`${name}: ${others} requests got neither success nor 503`]),
        ...(recovered ? [] : [`${name}: 5 s after its end requests still failed or took more than a second`]),
      ]),
    ],
  }
}

function set({ there, back }: FaultyWire, { delayMs, bytesPerSecond }: Omit<Slowness, 'name'>) {
  there.delayMs = delayMs
  there.bytesPerSecond = bytesPerSecond
  back.bytesPerSecond = bytesPerSecond
}

function judge(name: string, samples: Sample[], lastsMs: number) {
  const isGood = ({ status }: Sample) => status === 200 || status === 201
  const during = samples.filter(({ at }) => at >= BEFORE_MS && at < BEFORE_MS + lastsMs)
  const later = samples.filter(({ at }) => at >= BEFORE_MS + lastsMs + RECOVERY_MS)
  const times = during.filter(isGood).map(({ ms }) => ms)
  return {
    name,
    goodput: Math.round((times.length / lastsMs) * 1_000),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    refused: samples.filter(({ status }) => status === 503).length,
    others: samples.filter((sample) => !isGood(sample) && sample.status !== 503).length,
    recovered: later.length > 0 && later.every((sample) => isGood(sample) && sample.ms < 1_000),
  }
}
