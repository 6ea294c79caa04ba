import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createPetstore } from '../../packages/client/src/index.ts'
import { compare, type Promised } from '../check.ts'
import { FAILPOINTS, type Failpoint, isOfReplays } from '../failpoints.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { brokenBy } from '../promises.ts'
import { ServiceProcess } from '../rig/service.ts'
import { SERVICE_ADDRESSES } from '../rig/site.ts'
import { until } from '../rig/until.ts'
import { baseUrlOf, openStore, type Store, startServices } from '../store.ts'

const [TIMES, TIMES_QUICK] = [200, 4]
/** Pets of one run, which mostly are one batch. */
const PETS = 4
const MODULE = new URL('../failpoint.ts', import.meta.url)

/** What became of the calls of all runs at one point. */
interface Tally {
  runs: number
  /** Calls that the process had answered before it ended. */
  atOnce: number
  /** Calls that another process answered anew, and with what was stored by then. */
  anew: number
  replayed: number
}

export const failpoints: Fault = {
  name: 'failpoints',
  injected:
    'SIGKILL of the service at each await of a keyed create and of its replay; clients retry at another process',
  invariant: 'none lost, none twice, each pet acknowledged',
  quick: true,
  run: crashEverywhere,
}

async function crashEverywhere(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and a process that stays …')
  const store = await openStore(stage, resources)
  const [healthy] = await startServices(stage, resources, store.databaseUrl)
  if (!healthy) throw new Error('There is no process to go on with.')
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
        NODE_OPTIONS: `--import=${MODULE.href}`,
        NODE_COMPILE_CACHE: join(stage.site.directory, 'compile-cache'),
        FAILPOINT: point,
      })
      const names = Array.from({ length: PETS }, (_, i) => `${label} ${point} ${run} ${i}`)
      const tally = tallies[point] as Tally
      const answered = await crashOnce(doomed, healthy, store, names, point, tally).catch((error: Error) => error)
      if (answered instanceof Error) broken.push(`${point}, run ${run}: ${answered.message}`)
      else acknowledged.push(...answered)
      tally.runs++
      if (run % 20 === 0 || run === runs) stage.say(`${point}: ${run} of ${runs}, ${JSON.stringify(tally)}`)
    }
  }
  await Promise.all(SERVICE_ADDRESSES.slice(1).map(lane))

  const verdict = await compare(store.databaseUrl, label, acknowledged)
  return {
    times: runs * FAILPOINTS.length,
    acked: acknowledged.length,
    lost: verdict.lost.length,
    twice: verdict.twice.length,
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

/** Adds pets through a process that ends on the way, and through another when it has. */
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
          const answer = await fetch((input as string).replace(doomed.address, address), init)
          if (answer.status === 201)
            tally[tries === 1 ? 'atOnce' : answer.headers.has('idempotent-replayed') ? 'replayed' : 'anew']++
          return answer
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

/** A failpoint that lies where it should tells by what it leaves: nothing before the statement is sent, all after. */
function misplaced(point: Failpoint, { atOnce, anew, replayed }: Tally) {
  const isWrongInReplay = atOnce + anew > 0 || replayed === 0
  const isWrong = {
    'before it is sent': atOnce + replayed > 0,
    // The server may find its caller gone before it has read the statement.
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
