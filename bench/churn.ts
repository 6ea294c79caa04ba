import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Client } from './client.ts'
import { percentiles } from './measure.ts'
import { read } from './operations.ts'
import { markdownTable, whole } from './report.ts'
import { log, setUp } from './rig.ts'
import type { Scenario } from './scenario.ts'

interface Plan {
  pets: number
  sales: number
  /** Sales a second. Vacuum comes by once a minute at most, so the full form must last for several of them. */
  pace: number
  /** How many times as long p99 of the first page may be at the end as at the beginning. */
  mostGrowth: number
}

const FULL: Plan = { pets: 1_000_000, sales: 100_000, pace: 500, mostGrowth: 2 }
// Wide: it ends before vacuum has come by, and a stall of the machine in so short a time makes a p99.
const QUICK: Plan = { pets: 200_000, sales: 20_000, pace: 1_000, mostGrowth: 4 }
const SALES_EVERY_MS = 20
const LIST_EVERY_MS = 5
const PARTS = 5
const FIRST_PAGE = '/v1/pets?status=available'

/** A part of the run. */
export interface Part {
  /** How many pets have been sold by its end. */
  sold: number
  /** Of the first page, in milliseconds. */
  p50: number
  p99: number
  /** Pages of PostgreSQL that a read of the first page touches, at the end of the part. */
  buffers: number
  vacuums: number
}

/** Pets are sold oldest first, so what is left of them lies where the list of available pets begins. */
export const churn: Scenario = async (resources, { quick, workers }) => {
  const plan = quick ? QUICK : FULL
  const { databaseUrl, service, key } = await setUp(resources, { pets: plan.pets, workers })
  const client = resources.use(new Client(key))
  const db = new pg.Client(databaseUrl)
  await db.connect()
  resources.defer(() => db.end())
  const list = async () => {
    const { status, text } = await client.send(service.url, read(FIRST_PAGE))
    if (status !== 200) throw new Error(`the list returned ${status}: ${text}`)
  }
  for (let i = 0; i < 1_000; i++) await list() // warm

  const parts: Part[] = []
  for (let part = 0; part < PARTS; part++) {
    log(`sales ${whole((part * plan.sales) / PARTS)} to ${whole(((part + 1) * plan.sales) / PARTS)} …`)
    const seconds = plan.sales / PARTS / plan.pace
    const [latencies] = await Promise.all([timeAtPace(seconds, list), sell(db, plan, part)])
    parts.push({ sold: ((part + 1) * plan.sales) / PARTS, ...percentiles(latencies), ...(await stateOf(db)) })
  }
  return {
    setting: `\`WORKERS=${workers}\`, ${whole(plan.pets)} pets, ${whole(plan.pace)} sales and ${1_000 / LIST_EVERY_MS} lists a second`,
    figures: tableOf(parts),
    data: parts,
    missed: slowed(parts, plan.mostGrowth),
  }
}

/** Of the pets that `loadPets` made every second one is available. */
async function sell(db: pg.Client, { sales, pace }: Plan, part: number) {
  const begun = performance.now()
  const perStep = (pace * SALES_EVERY_MS) / 1_000
  const first = (part * sales) / PARTS
  for (let sold = 0; sold < sales / PARTS; sold += perStep) {
    const from = 2 * (first + sold)
    await db.query({
      name: 'sell',
      text: `update pets set status = 'sold', version = version + 1 where id > $1 and id <= $2 and status = 'available'`,
      values: [from, from + 2 * perStep],
    })
    await until(begun + (sold / pace) * 1_000)
  }
}

/** Sends at a steady pace, whether or not the previous response has arrived: a client that waits would miss the slow moments. */
export async function timeAtPace(seconds: number, send: () => Promise<void>) {
  const begun = performance.now()
  const times: Promise<number>[] = []
  for (let i = 0; i < (seconds * 1_000) / LIST_EVERY_MS; i++) {
    await until(begun + i * LIST_EVERY_MS)
    const sent = performance.now()
    times.push(send().then(() => performance.now() - sent))
  }
  return await Promise.all(times)
}

async function until(moment: number) {
  await sleep(Math.max(0, moment - performance.now()))
}

async function stateOf(db: pg.Client) {
  const { rows: plans } = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json)
     select * from pets where id > 0 and status = 'available' order by id limit 21`,
  )
  const { rows: counts } = await db.query<{ vacuums: number }>(
    `select autovacuum_count::int as vacuums from pg_stat_user_tables where relname = 'pets'`,
  )
  const plan = plans[0]?.['QUERY PLAN'][0].Plan
  return {
    buffers: (plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? Number.NaN),
    vacuums: counts[0]?.vacuums ?? Number.NaN,
  }
}

/** Whether the first page takes longer at the end than at the beginning. */
export function slowed(parts: Part[], mostGrowth: number) {
  const [first, last] = [parts[0]?.p99 ?? Number.NaN, parts.at(-1)?.p99 ?? Number.NaN]
  if (last <= mostGrowth * first) return []
  return [`p99 of the first page is ${(last / first).toFixed(1)} times as long at the end, not ${mostGrowth}`]
}

function tableOf(parts: Part[]) {
  return markdownTable(
    ['sold', 'p50', 'p99', 'pages of PostgreSQL for a list', 'vacuums so far'],
    parts.map(({ sold, p50, p99, buffers, vacuums }) => [
      whole(sold),
      `${p50.toFixed(2)} ms`,
      `${p99.toFixed(2)} ms`,
      whole(buffers),
      whole(vacuums),
    ]),
  )
}
