import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createPetstore, type Petstore } from '../../packages/client/src/index.ts'
import { unfoundOf } from '../check.ts'
import { type Crash, environmentOf, isOfReplays } from '../failpoints.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { expireAndCrash } from '../orders/expiry-crashes.ts'
import { brokenRules, countsOf, judge } from '../orders/judge.ts'
import { acknowledgedIn, type BuyersRecord, emptyRecord } from '../orders/record.ts'
import { readShop } from '../orders/stored.ts'
import { EXPIRY, type Subject, storeAt, WRITES, type Write } from '../orders/writes.ts'
import { brokenSearches } from '../promises.ts'
import { ServiceProcess } from '../rig/service.ts'
import { SERVICE_ADDRESSES } from '../rig/site.ts'
import { until } from '../rig/until.ts'
import { baseUrlOf, openStore, type Store, startServices } from '../store.ts'
import { named, query, untilDisconnected } from '../stored.ts'

/** For each point: a write has four, so that each is killed 200 times. */
const [TIMES, TIMES_QUICK] = [50, 1]
/** Pets of one run, which mostly are one batch. */
const PETS = 4
const ENDED_WITHIN_MS = 10_000

/** What the runs at one point left. */
interface Tally {
  runs: number
  /** Writes that were acknowledged before the process was killed. */
  atOnce: number
  /** Writes that were stored when it was gone, and that were not. */
  stored: number
  missing: number
}

interface Run {
  stage: Stage
  store: Store
  healthy: ServiceProcess
  record: BuyersRecord
  label: string
}

export const writeFailpoints: Fault = {
  name: 'write-failpoints',
  injected:
    'SIGKILL of the service at each await of an edit, a deletion, an order with and without a key, its completion, cancellation and expiry',
  invariant:
    'nothing torn: as for orders; what can be repeated is, at another process, and is acknowledged; each pet is found by the name that it has',
  quick: true,
  run: crashWrites,
}

async function crashWrites(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and a process that stays …')
  const store = await openStore(stage, resources)
  const [healthy] = await startServices(stage, resources, store.databaseUrl)
  if (!healthy) throw new Error('No process is left to continue with.')
  const times = stage.times ?? (stage.quick ? TIMES_QUICK : TIMES)
  const label = `write-failpoints ${Date.now()}`
  const run: Run = { stage, store, healthy, record: emptyRecord(), label }
  const broken: string[] = []
  const begun = performance.now()

  const all = WRITES.flatMap((write) => write.points.map((point) => ({ write, point })))
  const tallies = Object.fromEntries(
    all.map(({ write, point }): [string, Tally] => [
      `${write.name}: ${point}`,
      { runs: 0, atOnce: 0, stored: 0, missing: 0 },
    ]),
  )
  const queue = all.flatMap((one) => Array.from({ length: times }, (_, i) => ({ ...one, number: i + 1 }))).values()
  const lane = async (address: string) => {
    for (const { write, point, number } of queue) {
      const name = `${write.name}: ${point}`
      const tally = tallies[name] as Tally
      const reference = `${label} ${name} ${number}`
      await crashOnce(run, address, write, point, reference, tally).catch((error: Error) =>
        broken.push(`${name}, run ${number}: ${error.message}`),
      )
      tally.runs++
      if (number === times) stage.say(`${name}: ${JSON.stringify(tally)}`)
    }
  }
  await Promise.all(SERVICE_ADDRESSES.slice(1).map(lane))
  const unfound = await unfoundOf({ ...store, baseUrl: baseUrlOf(healthy) }, label)
  // One at a time, and alone: any other process would expire the orders too.
  await healthy.end('SIGKILL')
  const expiries = await expireAndCrash(stage, store, {
    times,
    label: `${label} expire`,
    record: run.record,
    pets: PETS,
  })

  const violations = judge(run.record, await readShop(store.databaseUrl, label))
  const points = { ...tallies, ...expiries.tallies }
  return {
    times: Object.values(points).reduce((sum, { runs }) => sum + runs, 0),
    acked: acknowledgedIn(run.record),
    ...countsOf(violations),
    unfound: unfound.length,
    failed: broken.length + expiries.broken.length,
    writes: byWrite(points),
    seconds: Math.round((performance.now() - begun) / 1_000),
    broken: [
      ...brokenRules(violations),
      ...brokenSearches(unfound),
      ...broken,
      ...expiries.broken,
      ...Object.entries(points).flatMap(([name, tally]) => misplaced(name, tally)),
    ],
  }
}

/** Sends writes to a process that is killed on the way, and then, where that is safe, to another. */
async function crashOnce(
  run: Run,
  address: string,
  write: Write,
  point: Crash['point'],
  reference: string,
  tally: Tally,
) {
  const { stage, store, healthy, record } = run
  const name = `doomed at ${address}`
  const doomed = new ServiceProcess(stage.site, `service-${address}`, address, named(store.databaseUrl, name), {
    ...environmentOf({ ...write, point }),
    NODE_COMPILE_CACHE: join(stage.site.directory, 'compile-cache'),
  })
  doomed.start()
  const { pid } = doomed
  try {
    const calm = createPetstore({ baseUrl: baseUrlOf(healthy), key: store.key })
    const subjects = await Promise.all(
      Array.from({ length: PETS }, (_, i) => prepare(calm, record, write, `${reference} ${i}`)),
    )
    const before = await versionsOf(store, subjects)
    await doomed.ready()
    const target = storeAt(baseUrlOf(doomed), store.key, write)
    const told = await Promise.all(subjects.map((subject) => write.send(target, record, subject)))
    await until('the process ends at its failpoint', ENDED_WITHIN_MS, async () => !existsSync(`/proc/${pid}`))
    await untilDisconnected(store.databaseUrl, name)
    const after = await versionsOf(store, subjects)
    for (const [i, { petId }] of subjects.entries()) {
      const isStored = after.get(petId) !== before.get(petId)
      if (told[i] !== undefined) tally.atOnce++
      tally[isStored ? 'stored' : 'missing']++
    }
    if (!write.isRepeatable) return
    const again = await Promise.all(subjects.map((subject) => write.send(calm, record, subject)))
    if (again.includes(undefined)) throw new Error('it was not acknowledged when it was repeated')
  } finally {
    await doomed.end('SIGKILL')
  }
}

async function prepare(calm: Petstore, record: BuyersRecord, write: Write, reference: string): Promise<Subject> {
  const { id: petId } = await calm.pets.create({ name: reference, categoryId: 1n, status: 'available' })
  const subject: Subject = { petId, reference }
  if (!write.needsOrder && !write.isReplay) return subject
  const begun = performance.now()
  const { id: orderId, expiresAt } = await calm.orders.place({ petId, reference }, { idempotencyKey: reference })
  record.placed.push({ orderId, petId, reference, expiresAt, begun, at: performance.now() })
  return { ...subject, orderId }
}

/** Of each pet that exists. */
async function versionsOf({ databaseUrl }: Store, subjects: Subject[]) {
  const ids = subjects.map(({ petId }) => petId)
  const text = 'select id::text, version::text from pets where id = any($1::bigint[])'
  const rows = await query<{ id: string; version: string }>(databaseUrl, text, [ids])
  return new Map(rows.map(({ id, version }) => [BigInt(id), version]))
}

/** Too many to read otherwise. */
function byWrite(points: Record<string, Tally>) {
  const sums: Record<string, Tally> = {}
  for (const [name, tally] of Object.entries(points)) {
    const [write = ''] = name.split(': ')
    const sum = sums[write] ?? { runs: 0, atOnce: 0, stored: 0, missing: 0 }
    sums[write] = {
      runs: sum.runs + tally.runs,
      atOnce: sum.atOnce + tally.atOnce,
      stored: sum.stored + tally.stored,
      missing: sum.missing + tally.missing,
    }
  }
  return sums
}

/** What a failpoint leaves shows whether it is in its place: nothing before the statement is sent, everything after. */
function misplaced(name: string, tally: Tally) {
  const { atOnce, stored } = tally
  const [write = '', point = ''] = name.split(/: (.*)/s)
  const isStored = write === EXPIRY.name ? point === 'after commit' : point !== 'before it is sent'
  const isWrong = isOfReplays(point as Crash['point'])
    ? atOnce + stored > 0 // it changes nothing
    : isStored !== stored > 0 || (point === 'after the answer') !== atOnce > 0 || stored < atOnce
  return isWrong ? [`the failpoint "${name}" is not where it should be: ${JSON.stringify(tally)}`] : []
}
