import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createPetstore } from '../../packages/client/src/index.ts'
import { compare, type Promised } from '../check.ts'
import { environmentOf, FAILPOINTS, type Failpoint, isOfReplays } from '../failpoints.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { brokenBy } from '../promises.ts'
import { ServiceProcess } from '../rig/service.ts'
import { SERVICE_ADDRESSES } from '../rig/site.ts'
import { until } from '../rig/until.ts'
import { baseUrlOf, openStore, type Store, startServices } from '../store.ts'

const [TIMES, TIMES_QUICK] = [200, 4]
/** Pets of one run, which mostly are one batch. */
const PETS = 4
const WRITE = { statement: 'keyedPets.store', method: 'POST' }

/** How the requests of all runs at one point ended. */
interface Tally {
  runs: number
  /** Requests to which the process had responded before it was killed. */
  atOnce: number
  /** Requests for which another process added the pet, and for which it returned the stored one. */
  anew: number
  replayed: number
}

export const failpoints: Fault = {
  name: 'failpoints',
  injected:
    'SIGKILL of the service at each await of a keyed create and of its replay; clients retry at another process',
  invariant: 'none lost, none twice, each pet acknowledged, all found by name',
  quick: true,
  run: crashEverywhere,
}

async function crashEverywhere(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and a process that stays …')
  const store = await openStore(stage, resources)
  const [healthy] = await startServices(stage, resources, store.databaseUrl)
  if (!healthy) throw new Error('No process is left to continue with.')
  const runs = stage.times ?? (stage.quick ? TIMES_QUICK : TIMES)
  const label = `failpoints ${Date.now()}`
  const [acknowledged, broken]: [Promised[], string[]] = [[], []]
  const tallies = Object.fromEntries(
    FAILPOINTS.map((point): [string, Tally] => [point, { runs: 0, atOnce: 0, anew: 0, replayed: 0 }]),
  )
  const begun = performance.now()

  // Starting a process takes most of a run, so each of the other addresses has one of its own.
  const queue = FAILPOINTS.flatMap((point) => Array.from({ length: runs }, (_, i) => ({ point, run: i + 1 }))).values()
  const lane = async (address: string) => {
    for (const { point, run } of queue) {
      const doomed = new ServiceProcess(stage.site, `service-${address}`, address, store.databaseUrl, {
        ...environmentOf({ point, ...WRITE }),
        NODE_COMPILE_CACHE: join(stage.site.directory, 'compile-cache'),
      })
      const names = Array.from({ length: PETS }, (_, i) => `${label} ${point} ${run} ${i}`)
      const tally = tallies[point] as Tally
      const added = await crashOnce(doomed, healthy, store, names, point, tally).catch((error: Error) => error)
      if (added instanceof Error) broken.push(`${point}, run ${run}: ${added.message}`)
      else acknowledged.push(...added)
      tally.runs++
      if (run % 20 === 0 || run === runs) stage.say(`${point}: ${run} of ${runs}, ${JSON.stringify(tally)}`)
    }
  }
  await Promise.all(SERVICE_ADDRESSES.slice(1).map(lane))

  const verdict = await compare({ ...store, baseUrl: baseUrlOf(healthy) }, label, acknowledged)
  return {
    times: runs * FAILPOINTS.length,
    acked: acknowledged.length,
    lost: verdict.lost.length,
    twice: verdict.twice.length,
    unfound: verdict.unfound.length,
    failed: FAILPOINTS.length * runs * PETS - acknowledged.length,
    points: tallies,
    seconds: Math.round((performance.now() - begun) / 1_000),
    broken: [
      ...brokenBy(verdict),
      ...broken,
      ...FAILPOINTS.flatMap((point) => misplaced(point, tallies[point] as Tally)),
    ],
  }
}

/** Adds pets through a process that is killed on the way, then through another. */
async function crashOnce(
  doomed: ServiceProcess,
  healthy: ServiceProcess,
  { key }: Store,
  names: string[],
  point: Failpoint,
  tally: Tally,
) {
  doomed.start()
  const { pid } = doomed
  try {
    await doomed.ready()
    const added = await Promise.all(
      names.map(async (name): Promise<Promised> => {
        const call = { idempotencyKey: name }
        const pet = { name, categoryId: 1n, status: 'available' } as const
        const first = isOfReplays(point)
          ? await createPetstore({ baseUrl: baseUrlOf(healthy), key }).pets.create(pet, call)
          : undefined
        let tries = 0
        const fetchInTurn: typeof fetch = async (input, init) => {
          const { address } = tries++ === 0 ? doomed : healthy
          const response = await fetch((input as string).replace(doomed.address, address), init)
          if (response.status === 201)
            tally[tries === 1 ? 'atOnce' : response.headers.has('idempotent-replayed') ? 'replayed' : 'anew']++
          return response
        }
        const { pets } = createPetstore({ baseUrl: baseUrlOf(doomed), key, fetch: fetchInTurn, retries: 20 })
        const { id } = await pets.create(pet, call)
        if (first && id !== first.id) throw new Error(`"${name}" had the id ${first.id}, and was given ${id}`)
        return { id, name }
      }),
    )
    await until('the process ends at its failpoint', 5_000, async () => !existsSync(`/proc/${pid}`))
    return added
  } finally {
    await doomed.end('SIGKILL')
  }
}

/** What a failpoint leaves shows whether it is in its place: nothing before the statement is sent, everything after. */
function misplaced(point: Failpoint, { atOnce, anew, replayed }: Tally) {
  const isWrongInReplay = atOnce + anew > 0 || replayed === 0
  const isWrong = {
    'before it is sent': atOnce + replayed > 0,
    // The server may find the connection closed before it has read the statement.
    'it is sent': atOnce > 0 || replayed === 0,
    'it is answered': atOnce > 0 || replayed === 0,
    'after the answer': atOnce === 0,
    'replay: after begin': isWrongInReplay,
    'replay: before commit': isWrongInReplay,
    'replay: after commit': isWrongInReplay,
  }[point]
  return isWrong
    ? [`the failpoint "${point}" is not where it should be: ${JSON.stringify({ atOnce, anew, replayed })}`]
    : []
}
