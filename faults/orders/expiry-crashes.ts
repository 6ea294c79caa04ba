import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyFailpoint, environmentOf } from '../failpoints.ts'
import type { Stage } from '../fault.ts'
import { ServiceProcess } from '../rig/service.ts'
import { SERVICE_ADDRESSES } from '../rig/site.ts'
import { until } from '../rig/until.ts'
import { type Store, startServices } from '../store.ts'
import { named, query, untilDisconnected } from '../stored.ts'
import type { BuyersRecord } from './record.ts'
import { ORDER_ID } from './stored.ts'
import { EXPIRY } from './writes.ts'

interface Options {
  /** For each point. */
  times: number
  label: string
  record: BuyersRecord
  /** Orders of one run. */
  pets: number
}

const ENDED_WITHIN_MS = 20_000
const EXPIRED_WITHIN_MS = 30_000

/** Kills processes that expire orders, one after the other. What one leaves, the next must expire. */
export async function expireAndCrash(stage: Stage, store: Store, { times, label, record, pets }: Options) {
  const tallies = Object.fromEntries(
    EXPIRY.points.map((point) => [`${EXPIRY.name}: ${point}`, { runs: 0, atOnce: 0, stored: 0, missing: 0 }]),
  )
  const broken: string[] = []
  for (const point of EXPIRY.points) {
    const name = `${EXPIRY.name}: ${point}`
    const tally = tallies[name] as { runs: number; stored: number; missing: number }
    for (let number = 1; number <= times; number++) {
      const ids = await insertDueOrders(store, record, `${label} ${name} ${number}`, pets)
      await crashAlone(stage, store, point).catch((error: Error) => broken.push(`${name}: ${error.message}`))
      const stored = await countExpired(store, ids)
      tally.runs++
      tally.stored += stored
      tally.missing += ids.length - stored
    }
    stage.say(`${name}: ${JSON.stringify(tally)}`)
  }
  await using resources = new AsyncDisposableStack()
  await startServices(stage, resources, store.databaseUrl)
  await until('the orders of all runs have expired', EXPIRED_WITHIN_MS, async () => {
    const due = `select from orders where status = 'placed' and expires_at <= now() limit 1`
    return (await query(store.databaseUrl, due)).length === 0
  })
  return { tallies, broken }
}

async function crashAlone({ site }: Stage, { databaseUrl }: Store, point: AnyFailpoint) {
  const [address = ''] = SERVICE_ADDRESSES
  const name = `doomed at ${address}`
  const doomed = new ServiceProcess(site, `service-${address}`, address, named(databaseUrl, name), {
    ...environmentOf({ statement: EXPIRY.statement, point }),
    NODE_COMPILE_CACHE: join(site.directory, 'compile-cache'),
  })
  doomed.start()
  const { pid } = doomed
  try {
    await until('the process ends at its failpoint', ENDED_WITHIN_MS, async () => !existsSync(`/proc/${pid}`))
    await untilDisconnected(databaseUrl, name)
  } finally {
    await doomed.end('SIGKILL')
  }
}

/**
 * As the service places them, a minute ago; their time is up. The job that makes the words of names locks pets, and expiry leaves those
 * for later: these are marked as if it had been here.
 */
async function insertDueOrders({ databaseUrl }: Store, { placed }: BuyersRecord, reference: string, count: number) {
  const rows = await query<{ petId: string; orderId: string; reference: string; expiresAt: Date }>(
    databaseUrl,
    `with input as (
       select nextval('pets_id_seq') as pet_id, $1 || ' ' || place as reference,
              (floor(extract(epoch from now() - interval '1 minute') * 1000)::bigint << 21) + place as id
       from generate_series(1, $2) as place),
     pet as (
       insert into pets (id, name, category_id, status, version, held_by, worded)
       select pet_id, reference, 1, 'pending', 2, id, true from input)
     insert into orders (pet_id, id, version, expires_at, reference)
     select pet_id, id, 2, date_trunc('milliseconds', now()), reference from input
     returning pet_id::text as "petId", ${ORDER_ID('pet_id', 'id')} as "orderId", reference, expires_at as "expiresAt"`,
    [reference, count],
  )
  const at = performance.now()
  for (const { petId, expiresAt, ...row } of rows)
    placed.push({ ...row, petId: BigInt(petId), expiresAt: expiresAt.toISOString(), begun: at, at })
  return rows.map(({ petId }) => petId)
}

async function countExpired({ databaseUrl }: Store, petIds: string[]) {
  const text = `select from orders where pet_id = any($1::bigint[]) and status = 'expired'`
  return (await query(databaseUrl, text, [petIds])).length
}
