import { createPetstore, type Pets, PetstoreError } from '../../packages/client/src/index.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { baseUrlOf, openStore, startServices } from '../store.ts'

const PROCESSES = 3
const [ROUNDS, ROUNDS_QUICK] = [10_000, 100]
/** Edits of one pet at a time, and pets at a time: 64 connections. */
const [RACERS, PETS] = [8, 8]
/** In one of so many rounds all of them race for the same pet. */
const ALL_EVERY = 100

/** Nothing breaks here: what makes it hard is that all of them change the same pet at once. */
export const racingEdits: Fault = {
  name: 'racing-edits',
  injected: `${RACERS} edits of one pet at once, of ${PETS} pets at a time, at ${PROCESSES} processes; every hundredth time ${RACERS * PETS}`,
  invariant: 'with the same If-Match exactly one is done; without, all are, and each makes one version',
  quick: true,
  run: raceEdits,
}

async function raceEdits(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say(`starting PostgreSQL and ${PROCESSES} processes of the service …`)
  const { databaseUrl, key } = await openStore(stage, resources)
  const services = await startServices(stage, resources, databaseUrl, { count: PROCESSES })
  const pets = services.map((service) => createPetstore({ baseUrl: baseUrlOf(service), key }).pets)
  const rounds = stage.times ?? (stage.quick ? ROUNDS_QUICK : ROUNDS)
  const broken: string[] = []
  const begun = performance.now()
  let done = 0

  const play = async (round: number, racers: number) => {
    const race = await editAtOnce(pets, racers, `racing-edits ${round}`).catch((error: unknown) => [String(error)])
    broken.push(...race.map((sentence) => `round ${round}: ${sentence}`))
    done += racers
    if (round % 500 === 0 || round === rounds) stage.say(`round ${round} of ${rounds}, broken: ${broken.length}`)
  }
  for (let first = 1; first <= rounds; first += ALL_EVERY) {
    const last = Math.min(rounds, first + ALL_EVERY - 1)
    const queue = Array.from({ length: last - first }, (_, i) => first + i).values()
    const lane = async () => {
      for (const round of queue) await play(round, RACERS)
    }
    await Promise.all(Array.from({ length: PETS }, lane))
    await play(last, RACERS * PETS)
  }
  // Of those with a condition one in each round, of those without all.
  return {
    times: rounds,
    acked: rounds + done,
    lost: 0,
    twice: 0,
    failed: 0,
    rejected: done - rounds,
    seconds: Math.round((performance.now() - begun) / 1_000),
    broken,
  }
}

/** Edits of one pet, first with the same condition, then without one. Returns what was wrong. */
async function editAtOnce(pets: Pets[], racers: number, name: string): Promise<string[]> {
  const at = (i: number) => pets[i % pets.length] as Pets
  const { id } = await at(0).create({ name, categoryId: 1n, status: 'available' })
  const all = <Result>(edit: (i: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: racers }, (_, i) => edit(i)))

  const conditional = await all((i) =>
    at(i)
      .update(id, { name: `${name} if ${i}` }, { ifMatch: 1n })
      .then(({ version }) => `done ${version}`, codeOf),
  )
  const [won, ...rejected] = conditional.toSorted()
  const isOneDone = won === 'done 2' && rejected.every((result) => result === 'version_mismatch 2')

  const edits = await all(async (i) => await at(i).update(id, { name: `${name} ${i}` }))
  const versions = edits.map(({ version }) => Number(version)).toSorted((a, b) => a - b)
  const expected = versions.map((_, i) => 3 + i)
  const last = edits.find(({ version }) => version === BigInt(2 + racers))
  const { pets: stored } = await at(1)
    .list({ ids: [id], view: 'full' })
    .page()
  const isLastStored = last !== undefined && stored[0]?.version === last.version && stored[0].name === last.name
  return [
    ...(isOneDone ? [] : [`with the same If-Match: ${conditional.toSorted().join(', ')}`]),
    ...(String(versions) === String(expected) ? [] : [`without If-Match: versions ${versions.join(', ')}`]),
    ...(isLastStored ? [] : [`the last edit made version ${last?.version}, and ${stored[0]?.version} is stored`]),
  ]
}

function codeOf(error: unknown) {
  return error instanceof PetstoreError ? `${error.code} ${error.currentVersion}` : String(error)
}
