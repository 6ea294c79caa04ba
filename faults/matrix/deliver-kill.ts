import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Endpoint, Receiver } from '../../bench/webhooks/receiver.ts'
import { endOfFeed, endpointOf, insertWebhooks, untilCaughtUp } from '../../bench/webhooks/rows.ts'
import { brokenRules, judge, repeatsIn } from '../deliver/judge.ts'
import { DeliverProcess } from '../deliver/process.ts'
import { type DeliveryRecord, type Kill, keyOf } from '../deliver/record.ts'
import { feedAfter } from '../deliver/stored.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { Writers } from '../feed/writers.ts'
import { brokenRejections } from '../promises.ts'
import { baseUrlOf, openStore, startServices } from '../store.ts'
import { percentile } from '../under-load.ts'

const [TIMES, PLANS_PER_SECOND] = [20, 150] // of which come about 200 events
const [TIMES_QUICK, PLANS_PER_SECOND_QUICK] = [3, 40]
const ENDPOINTS = 20
/** Each third of the endpoints has one of these. */
const TYPES = [undefined, ['pet.updated'], ['order.placed', 'order.completed', 'order.cancelled']]
/** An endpoint fails every ten seconds or so, and gets nothing for five then. */
const [FAIL_RATE, FAIL_RATE_QUICK] = [0.001, 0.004]
/** Before a process is killed, and before it is started again: for longer than its leases, or not. */
const [RUNS_MS, GONE_MS] = [6_000, 8_000]
const CAUGHT_UP_WITHIN_MS = 300_000

/** A process that stores what it is about to deliver as delivered, as far as fifty events ahead. */
const STORE_EARLY = `
  create function store_early() returns trigger language plpgsql as $$
  begin
    new.sequence := least(new.sequence + 50, (
      select first + greatest(cardinality(pet_ids), 1) - 1 from feed_pages order by first desc limit 1));
    new.mark := (select mark from feed_pages where first <= new.sequence order by first desc limit 1);
    return new;
  end $$;
  create trigger store_early before update of sequence on webhooks for each row execute function store_early()`

export const deliverKill: Fault = {
  name: 'deliver-kill',
  injected: `kill -9 of one of two \`petstore deliver\` at random moments, while writers change pets and ${ENDPOINTS} endpoints fail now and then`,
  invariant:
    'each endpoint gets every event, a pet’s in order; events come again only after a kill, those of its last seconds',
  quick: true,
  run: deliverUnderKills,
}

async function deliverUnderKills(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  const store = await openStore(stage, resources)
  const [service] = await startServices(stage, resources, store.databaseUrl)
  const receiver = resources.use(await Receiver.start())
  const database = new pg.Client(store.databaseUrl)
  await database.connect()
  resources.defer(() => database.end())
  const endpoints = Array.from({ length: ENDPOINTS }, (_, i) => ({ ...endpointOf(i), types: TYPES[i % TYPES.length] }))
  const ids = endpoints.map(({ name }) => name)
  const respond = (failRate: number) => receiver.set(endpoints.map((one): Endpoint => ({ ...one, failRate })))
  await respond(stage.quick ? FAIL_RATE_QUICK : FAIL_RATE)
  const position = await endOfFeed(database)
  const rows = endpoints.map((one) => ({ id: one.name, url: receiver.urlOf(one), types: one.types?.join(' ') }))
  await insertWebhooks(database, rows, position)
  if (stage.storesEarly) await database.query(STORE_EARLY)

  const target = { baseUrl: service ? baseUrlOf(service) : '', key: store.key, label: `deliver ${Date.now()}` }
  const perSecond = stage.quick ? PLANS_PER_SECOND_QUICK : PLANS_PER_SECOND
  const writers = await Writers.start({ ...target, perSecond })
  const processes = ['deliver-1', 'deliver-2'].map(
    (name) => new DeliverProcess(stage.site, name, store.databaseUrl, receiver.certificate),
  )
  for (const process of processes) {
    process.start()
    resources.defer(() => process.end('SIGKILL'))
  }
  const kills = await killAtRandom(stage, processes, async () => (await receiver.count()).accepted)
  await writers.stop()
  await respond(0)
  const seconds = await untilCaughtUp(database, ids, 0, CAUGHT_UP_WITHIN_MS)
  const { wrong, rejected } = await receiver.count()
  const record: DeliveryRecord = {
    endpoints,
    events: await feedAfter(database, position.sequence),
    acknowledged: writers.changes.flatMap(({ result, petId, version }) =>
      result === 'acknowledged' && petId !== undefined && version !== undefined ? [keyOf({ petId, version })] : [],
    ),
    delivered: await receiver.take(),
    kills,
  }
  const violations = judge(record)
  const { failed } = writers.calls
  return {
    times: kills.length,
    acked: writers.acknowledged,
    lost: violations.lost.length,
    twice: violations.twice.length,
    failed: failed.length,
    events: record.events.length,
    deliveries: record.delivered.length,
    again: againIn(record),
    rejected,
    lagMs: lagOf(record),
    broken: [
      ...brokenRules(violations),
      ...(seconds === undefined ? ['some endpoints were still behind minutes after the last kill'] : []),
      ...(wrong[0] === undefined ? [] : [`${wrong.length} requests were wrong, as this one: ${wrong[0]}`]),
      ...brokenRejections({ failed, withoutRetryAfter: () => writers.withoutRetryAfter }),
    ],
  }
}

async function killAtRandom(
  { quick, times, say }: Stage,
  processes: DeliverProcess[],
  accepted: () => Promise<number>,
) {
  const kills: Kill[] = []
  for (const count = times ?? (quick ? TIMES_QUICK : TIMES); kills.length < count; ) {
    const before = await accepted()
    await sleep(RUNS_MS * (0.5 + Math.random()))
    const delivered = (await accepted()) - before
    const victim = processes[Math.floor(Math.random() * processes.length)]
    const from = Date.now()
    await victim?.end('SIGKILL')
    kills.push({ from, to: Date.now() })
    say(`${kills.length} of ${count}: killed, after ${delivered} deliveries`)
    await sleep(GONE_MS * Math.random())
    victim?.start()
  }
  // The last one must have consequences too.
  await sleep(2 * RUNS_MS)
  return kills
}

/** How much came again after kills: in all, and the most for one endpoint after one kill. */
function againIn(record: DeliveryRecord) {
  const repeats = repeatsIn(record)
  const counts = repeats.map(({ count }) => count)
  return {
    deliveries: counts.reduce((sum, count) => sum + count, 0),
    most: Math.max(0, ...counts),
    overMs: Math.max(0, ...repeats.map(({ ms }) => ms)),
  }
}

/** From the time of an event until an endpoint had it, those that failed and came again too. */
function lagOf({ delivered }: DeliveryRecord) {
  const lags = delivered.map(({ at, eventAt }) => at - eventAt)
  return { p50: percentile(lags, 0.5), p99: percentile(lags, 0.99), max: percentile(lags, 1) }
}
