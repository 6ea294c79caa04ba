import { Client } from './client.ts'
import {
  type FlatnessPlan,
  flatnessSetting,
  flatnessTable,
  measureFlatness,
  notFlat,
  type Question,
  type SizedStore,
} from './flatness.ts'
import { read, upTo } from './operations.ts'
import { createDatabase, query, startPostgres } from './postgres.ts'
import { whole } from './report.ts'
import { log } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { createKey, PROGRAM, petstore, startService } from './service.ts'

const FULL: FlatnessPlan = { sizes: [1e4, 1e6], rounds: 5, seconds: 3, mostGrowth: 1.5 }
// Wide, since it is run on machines that are busy with other things too.
const QUICK: FlatnessPlan = { sizes: [1e4, 1e5], rounds: 3, seconds: 1, mostGrowth: 2.5 }
// Each day has more sales than a count goes up to, in every store. One of them is at midnight.
const [FIRST_DAY, DAYS, DAY_MS] = [Date.parse('2026-11-10T00:00:00Z'), 5, 86_400_000]
const [PAGE, MAX_COUNT] = [20, 1_000]
const ORDERS = '/v1/store/orders'

const QUESTIONS: Question[] = [
  {
    name: 'the sales of a day',
    request: () => read(`${ORDERS}?status=completed&sort=closed&${dayOf(anyDay())}`),
    least: PAGE,
  },
  {
    name: 'the first 10 minutes of a day',
    request: () => read(`${ORDERS}?status=completed&sort=closed&limit=5&${spanOf(anyDay(), 600_000)}`),
    least: 5,
  },
  {
    name: 'how many sales a day has',
    request: () => read(`${ORDERS}/count?status=completed&${dayOf(anyDay())}`),
    least: MAX_COUNT,
  },
  { name: 'how many sales there are', request: () => read(`${ORDERS}/count?status=completed`), least: MAX_COUNT },
]

/** Whether the sales of a day take longer to list and to count the more orders there are. */
export const sales: Scenario = async (resources, { quick, workers }) => {
  const plan = quick ? QUICK : FULL
  const { sizes } = plan
  log('starting PostgreSQL …')
  const postgres = await startPostgres(resources)
  const stores: SizedStore[] = []
  for (const size of sizes) {
    const databaseUrl = await createDatabase(postgres.url, `orders_${size}`)
    await petstore(databaseUrl, ['migrate'])
    log(`loading ${whole(size)} orders …`)
    await loadOrders(databaseUrl, size)
    const { url } = resources.use(await startService(databaseUrl, workers))
    stores.push({ size, url, key: await createKey(databaseUrl, PROGRAM, '--scope', 'all') })
  }
  for (const store of stores) await requireBoundary(store)
  const cells = await measureFlatness(stores, QUESTIONS, plan)
  return {
    setting: flatnessSetting(workers, plan),
    figures: flatnessTable('orders', cells, sizes),
    data: cells,
    missed: notFlat(cells, QUESTIONS, plan),
  }
}

function anyDay() {
  return upTo(DAYS) - 1
}

function dayOf(day: number) {
  return spanOf(day, DAY_MS)
}

function spanOf(day: number, ms: number) {
  const from = FIRST_DAY + day * DAY_MS
  return `from=${new Date(from).toISOString()}&to=${new Date(from + ms).toISOString()}`
}

/** As many each minute, one of them at midnight; four of five were completed. */
async function loadOrders(url: string, orders: number) {
  await query(
    url,
    `set synchronous_commit = off;
     insert into orders (pet_id, id, version, status, expires_at, closed_at)
     select n + 1, (extract(epoch from closed_at) * 1000 - 60000)::bigint * 2097152 + n, 3, status, closed_at + interval '14 minutes', closed_at
     from (
       select n, to_timestamp(${FIRST_DAY / 1_000}) + n * (interval '${(DAYS * DAY_MS) / 1_000} seconds' / ${orders}) as closed_at,
              (array['completed', 'completed', 'cancelled', 'completed', 'completed'])[1 + n % 5] as status
       from generate_series(0, ${orders - 1}) as n) as closed`,
  )
  for (const command of ['vacuum (analyze) orders', 'checkpoint']) await query(url, command)
}

/** What was sold at midnight is of the day that begins, and of no other. */
async function requireBoundary({ size, url, key }: SizedStore) {
  using client = new Client(key)
  const times = async (span: string) => {
    const { text } = await client.send(url, read(`${ORDERS}?status=completed&sort=closed&limit=100&${span}`))
    return (JSON.parse(text) as { closedAt: string }[]).map(({ closedAt }) => Date.parse(closedAt))
  }
  for (let day = 1; day < DAYS; day++) {
    const midnight = FIRST_DAY + day * DAY_MS
    const [[first], [lastBefore]] = [await times(spanOf(day, 1)), await times(dayOf(day - 1))]
    if (first !== midnight || lastBefore === undefined || lastBefore >= midnight)
      throw new Error(`of ${whole(size)} orders, that of midnight of day ${day} is not where it belongs`)
  }
}
