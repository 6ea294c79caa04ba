import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Client } from './client.ts'
import { median } from './measure.ts'
import { create, get, list } from './operations.ts'
import { markdownTable, whole } from './report.ts'
import { log, setUpStore } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { startService } from './service.ts'

/** Orders that end at the same moment, and the seconds within which they must have expired. */
const [SOME, MANY] = [
  { orders: 10_000, mostSeconds: 5 },
  { orders: 100_000, mostSeconds: 40 },
]
const FULL = [SOME, SOME, SOME, MANY]
const QUICK = [SOME, SOME, SOME]
const MAX_TIMES = 2
const PROCESSES = 2
const [PETS, PETS_QUICK] = [500_000, 100_000]
const REQUESTS = [get, list, create]
const EVERY_MS = 5
/** How long the same requests are measured before anything expires. */
const CALM_MS = 8_000
const POLLED_EVERY_MS = 200
/** After this it has failed. */
const MAX_MS = 120_000

/** What became of orders that ended at the same moment. */
export interface Expiry {
  orders: number
  mostSeconds: number
  /** From that moment until the last of them had expired. */
  seconds: number
  /** How many had expired, once each and not too early, with their pets available again. */
  expired: number
  /** Milliseconds of other requests, before and meanwhile. */
  p50Before: number
  p50During: number
}

/** How long orders take to expire, and what other requests notice of it. */
export const expiry: Scenario = async (resources, { quick }) => {
  const pets = quick ? PETS_QUICK : PETS
  const store = await setUpStore(resources, pets)
  const urls: string[] = []
  for (let i = 0; i < PROCESSES; i++) urls.push(resources.use(await startService(store.databaseUrl, 1)).url)
  const client = resources.use(new Client(store.key))
  const database = new pg.Client(store.databaseUrl)
  await database.connect()
  resources.defer(() => database.end())
  const others = async (i: number) => {
    const operation = REQUESTS[i % REQUESTS.length] ?? get
    const { status } = await client.send(urls[i % urls.length] ?? '', operation.request(pets))
    if (status >= 400) throw new Error(`${operation.name} returned ${status}`)
  }
  log('warming up …')
  await timeUntil(others, sleep(CALM_MS))

  const expiries: Expiry[] = []
  for (const plan of quick ? QUICK : FULL) {
    const result = await expire(database, plan, others)
    log(`${whole(plan.orders)} orders expired in ${result.seconds.toFixed(1)} s`)
    expiries.push(result)
  }
  return {
    setting: `${PROCESSES} processes`,
    figures: tableOf(expiries),
    data: expiries,
    missed: quick ? lateInAll(expiries) : expiries.flatMap(late),
  }
}

async function expire(
  database: pg.Client,
  { orders, mostSeconds }: (typeof FULL)[number],
  others: (i: number) => Promise<unknown>,
): Promise<Expiry> {
  log(`placing ${whole(orders)} orders that end at the same moment …`)
  // Time enough to place them, to tidy up and to measure what nothing disturbs.
  const { rows } = await database.query<{ moment: Date }>(
    `select date_trunc('second', now()) + $1 * interval '1 millisecond' as moment`,
    [CALM_MS + 6_000 + orders / 4],
  )
  const moment = rows[0]?.moment ?? new Date()
  await placeAll(database, orders, moment)
  await sleep(Math.max(0, moment.getTime() - CALM_MS - Date.now()))
  const before = await timeUntil(others, sleep(moment.getTime() - Date.now()))
  const during = await timeUntil(others, allExpired(database, moment))
  const { seconds, expired } = await read(database, moment)
  return { orders, mostSeconds, seconds, expired, p50Before: median(before), p50During: median(during) }
}

/** As the service does, but all at once: each holds a pet that no other has held. */
async function placeAll(database: pg.Client, orders: number, moment: Date) {
  await database.query(
    `with held as (
       update pets
       set status = 'pending', version = 2,
           held_by = (floor(extract(epoch from now()) * 1000)::bigint << 21) + id % 2097152
       where id in (select id from pets where status = 'available' and version = 1 order by id limit $1)
       returning id, held_by)
     insert into orders (pet_id, id, version, expires_at) select id, held_by, 2, $2 from held`,
    [orders, moment],
  )
  await database.query('vacuum (analyze) pets')
  await database.query('vacuum (analyze) orders')
  await database.query('checkpoint')
}

async function allExpired(database: pg.Client, moment: Date) {
  const endsAt = performance.now() + MAX_MS
  const question = `select from orders where status = 'placed' and expires_at = $1 limit 1`
  do await sleep(POLLED_EVERY_MS)
  while (performance.now() < endsAt && (await database.query(question, [moment])).rowCount !== 0)
}

/** One that expired twice would have made another version, or made its pet available too early. */
async function read(database: pg.Client, moment: Date) {
  const { rows } = await database.query<{ seconds: number; expired: number }>(
    `select extract(epoch from max(closed_at) - $1)::float8 as seconds,
            count(*) filter (
              where orders.status = 'expired' and closed_at >= expires_at
                and pets.status = 'available' and held_by is null and pets.version = 3)::int as expired
     from orders join pets on pets.id = pet_id where expires_at = $1`,
    [moment],
  )
  return rows[0] ?? { seconds: Number.NaN, expired: 0 }
}

/** Milliseconds of requests that are sent at a steady pace until `end`, whether or not the previous response has arrived. */
async function timeUntil(send: (i: number) => Promise<unknown>, end: Promise<unknown>) {
  const over = new AbortController()
  void end.finally(() => over.abort()).catch(() => {}) // awaited below
  const latencies: Promise<number>[] = []
  const begun = performance.now()
  for (let i = 0; !over.signal.aborted; i++) {
    await sleep(Math.max(0, begun + i * EVERY_MS - performance.now()))
    const sent = performance.now()
    latencies.push(send(i).then(() => performance.now() - sent))
  }
  await end
  return await Promise.all(latencies)
}

/** What was missed, as sentences. */
export function late({ orders, mostSeconds, seconds, expired, p50Before, p50During }: Expiry) {
  const times = p50During / p50Before
  return [
    ...(expired === orders ? [] : [`of ${whole(orders)} orders ${whole(expired)} expired once and not too early`]),
    ...(seconds <= mostSeconds ? [] : [`${whole(orders)} orders took ${seconds.toFixed(1)} s, not ${mostSeconds}`]),
    ...(times <= MAX_TIMES
      ? []
      : [`beside ${whole(orders)} orders that expire, p50 is ${times.toFixed(1)} times as long, not ${MAX_TIMES}`]),
  ]
}

/** The short form fails by the clock only where each of its rounds does; that each order expires once must hold in all. */
export function lateInAll(expiries: Expiry[]) {
  const wrong = expiries.filter(({ orders, expired }) => expired !== orders)
  const byTheClock = expiries.map((one) => late({ ...one, expired: one.orders }))
  return [
    ...wrong.flatMap((one) => late({ ...one, seconds: 0, p50During: 0 })),
    ...(byTheClock.every(({ length }) => length > 0) ? (byTheClock[0] ?? []) : []),
  ]
}

function tableOf(expiries: Expiry[]) {
  return markdownTable(
    ['orders', 'expired once', 'seconds', 'p50 of others before', 'p50 meanwhile', 'ratio'],
    expiries.map(({ orders, expired, seconds, p50Before, p50During }) => [
      whole(orders),
      whole(expired),
      seconds.toFixed(1),
      `${p50Before.toFixed(2)} ms`,
      `${p50During.toFixed(2)} ms`,
      (p50During / p50Before).toFixed(2),
    ]),
  )
}
