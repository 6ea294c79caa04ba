import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { byTheClock, latenessOf } from '../open-loop/lateness.ts'
import { createOf, headOf, type Kind, runOpenLoop, type Sample } from '../open-loop/run.ts'
import { petstore } from '../rig/service.ts'
import { openStore, type Store, startServices } from '../store.ts'
import { countStored } from '../stored.ts'
import { percentile } from '../under-load.ts'

const [BEFORE_MS, PEACE_MS, HELD_MS, AFTER_MS] = [1_000, 4_000, 8_000, 3_000]
const [MAX_MS, MAX_LATE_MS] = [50, 25]
// Of the first, no more than may be in flight while the lock is held: beyond that all are rejected, which is another fault.
const [LOAD_PER_SECOND, PROBES_PER_SECOND] = [80, 250]

/** Requests that need no pet must not wait for those that do. */
export const pool: Fault = {
  name: 'pool',
  injected: 'the table of pets is locked for 8 s while pets are added and listed',
  invariant: 'health, 401, 400 and 404 of a route stay at p99 ≤ 50 ms; no acknowledged pet is missing',
  run: holdPets,
}

async function holdPets(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and a process of the service …')
  const store = await openStore(stage, resources)
  const [service] = await startServices(stage, resources, store.databaseUrl)
  const origin = `http://${service?.address}:8080`
  const label = `pool ${Date.now()}`
  const probes = await probesFor(store)
  const list: Kind = { name: 'list', bytes: headOf('GET', '/v1/pets', store.key) }
  const underLoad = (seconds: number, names: string) =>
    Promise.all([
      runOpenLoop({ origin, kinds: probes, perSecond: PROBES_PER_SECOND, seconds }),
      runOpenLoop({
        origin,
        kinds: [createOf(store.key, names), list],
        perSecond: LOAD_PER_SECOND,
        seconds,
        patienceMs: 12_000,
      }),
    ])

  stage.say(`${LOAD_PER_SECOND} requests a second in peace, to compare with …`)
  const [inPeace] = await underLoad((BEFORE_MS + PEACE_MS) / 1_000, 'in peace')
  stage.say(`locking the table of pets for ${HELD_MS / 1_000} s …`)
  const [[probed, loaded]] = await Promise.all([
    underLoad((BEFORE_MS + HELD_MS + AFTER_MS) / 1_000, label),
    sleep(BEFORE_MS).then(() => lockPets(store.databaseUrl)),
  ])

  const held = probed.filter(({ at }) => at >= BEFORE_MS && at < BEFORE_MS + HELD_MS)
  const lateP99 = latenessOf(held)
  const peace = inPeace.filter(({ at }) => at >= BEFORE_MS)
  const classes = probes.map(({ name }) => ({
    name,
    ...figuresOf(held.filter(({ kind }) => kind === name)),
    p99InPeace: figuresOf(peace.filter(({ kind }) => kind === name)).p99,
  }))
  const acked = loaded.filter(({ status }) => status === 201).length
  const { stored, twice } = await countStored(store.databaseUrl, label)
  const lost = Math.max(0, acked - stored)
  return {
    times: 1,
    acked,
    lost,
    twice,
    failed: loaded.filter(({ status }) => status >= 300 || status === 0).length,
    classes,
    lateP99,
    load: statusesOf(loaded),
    broken: [
      ...byTheClock(
        stage,
        lateP99,
        MAX_LATE_MS,
        classes.flatMap(({ name, p99 }) => (p99 > MAX_MS ? [`${name} took ${p99} ms at p99, not ${MAX_MS}`] : [])),
      ),
      ...(lost > 0 ? [`${lost} confirmed pets are not stored`] : []),
      ...classes.flatMap(({ name, statuses }) =>
        Object.keys(statuses).join() === name.slice(0, 3) ? [] : [`${name} got ${JSON.stringify(statuses)}`],
      ),
      // Requests for pets must wait, or the lock had no effect.
      ...(loaded.some(({ ms }) => ms > 1_000) ? [] : ['no request had to wait for the table']),
    ],
  }
}

/** Named by the status that they must get. */
async function probesFor({ databaseUrl, key }: Store): Promise<Kind[]> {
  const text = await petstore(databaseUrl, 'keys', 'create', '--name', 'revoked', '--json')
  const revoked = JSON.parse(text) as { id: string; key: string }
  await petstore(databaseUrl, 'keys', 'revoke', revoked.id)
  const empty = ['Content-Type: application/json', 'Content-Length: 2']
  return [
    { name: '200 health', bytes: headOf('GET', '/livez') },
    { name: '401 no key', bytes: headOf('GET', '/v1/pets') },
    // This one needs the database.
    { name: '401 revoked key', bytes: headOf('GET', '/v1/pets', revoked.key) },
    { name: '400 body', bytes: `${headOf('POST', '/v1/pets', key, empty)}{}` },
    { name: '404 route', bytes: headOf('GET', '/v1/nothing', key) },
  ]
}

async function lockPets(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin; lock table pets')
  await sleep(HELD_MS)
  await client.query('rollback')
  await client.end()
}

function figuresOf(samples: Sample[]) {
  const times = samples.map(({ ms }) => ms)
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    max: percentile(times, 1),
    statuses: statusesOf(samples),
  }
}

function statusesOf(samples: Sample[]) {
  const counts: Record<string, number> = {}
  for (const { status } of samples) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
