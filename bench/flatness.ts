import { Client } from './client.ts'
import { type Load, measureService, median, type Rate } from './measure.ts'
import type { Operation } from './operations.ts'
import { markdownTable } from './report.ts'
import { log } from './rig.ts'
import { sizeName } from './scale-report.ts'

/** Sizes of stores, and how long their questions are measured. */
export interface FlatnessPlan {
  sizes: number[]
  rounds: number
  seconds: number
  /** How many times as long p50 may be in a larger store as in the smallest. */
  mostGrowth: number
  /** How many milliseconds what is bounded may take (p50), in any store. */
  mostMs?: number
}

/** What is asked of each store. */
export interface Question extends Pick<Operation, 'name' | 'request'> {
  /** How many items its response must have at least: one that finds nothing would always be as fast. */
  least: number
  /** Whether it reads more in a larger store, up to a bound: its milliseconds are judged then, not its growth. */
  isBounded?: true
}

export interface SizedStore {
  size: number
  url: string
  key: string
}

/** One question of one store. */
export interface FlatnessCell {
  question: string
  size: number
  rounds: Rate[]
}

// How long one question takes, not how many are possible.
const CONNECTIONS = 1

/** Asks one question after the other; the stores take turns, so that other load on the machine affects all of them. */
export async function measureFlatness(
  stores: SizedStore[],
  questions: Question[],
  { rounds, seconds }: FlatnessPlan,
): Promise<FlatnessCell[]> {
  for (const question of questions) for (const store of stores) await requireItems(store, question)
  const cells = questions.flatMap(({ name }) =>
    stores.map(({ size }): FlatnessCell => ({ question: name, size, rounds: [] })),
  )
  for (let round = 1; round <= rounds; round++) {
    log(`round ${round} of ${rounds} …`)
    for (const question of questions)
      for (const { size, url, key } of stores) {
        const load: Load = { connections: CONNECTIONS, seconds, pets: size }
        const rate = await measureService(url, key, question, load)
        cells.find((cell) => cell.question === question.name && cell.size === size)?.rounds.push(rate)
      }
  }
  return cells
}

export function flatnessSetting(workers: number, { rounds, seconds }: FlatnessPlan) {
  return `\`WORKERS=${workers}\`, ${CONNECTIONS} connection, medians of ${rounds} rounds of ${seconds} s`
}

/** What takes longer than it may, as sentences. */
export function notFlat(cells: FlatnessCell[], questions: Question[], { mostGrowth, mostMs = 0 }: FlatnessPlan) {
  return questions.flatMap(({ name, isBounded }) => {
    const ofQuestion = cells.filter(({ question }) => question === name)
    if (isBounded)
      return ofQuestion
        .filter((cell) => !(p50Of(cell) <= mostMs))
        .map((cell) => `${name}: ${p50Of(cell).toFixed(2)} ms at ${sizeName(cell.size)}, not ${mostMs}`)
    return growthsOf(ofQuestion)
      .filter(({ growth }) => !(growth <= mostGrowth))
      .map(
        ({ size, growth }) =>
          `${name} takes ${growth.toFixed(2)} times as long at ${sizeName(size)} as at ${sizeName(ofQuestion[0]?.size ?? 0)}, not ${mostGrowth}`,
      )
  })
}

export function flatnessTable(what: string, cells: FlatnessCell[], sizes: number[]) {
  const [smallest = 0, ...larger] = sizes.map(sizeName)
  return markdownTable(
    [what, ...sizes.map((size) => `p50 at ${sizeName(size)}`), ...larger.map((size) => `${size} / ${smallest}`)],
    Array.from(
      Map.groupBy(cells, ({ question }) => question),
      ([question, ofQuestion]) => [
        question,
        ...ofQuestion.map((cell) => `${p50Of(cell).toFixed(2)} ms`),
        ...growthsOf(ofQuestion).map(({ growth }) => growth.toFixed(2)),
      ],
    ),
  )
}

/** Of each larger store compared with the smallest: in the same round; then the median of these. */
function growthsOf([smallest, ...larger]: FlatnessCell[]) {
  return larger.map(({ size, rounds }) => ({
    size,
    growth: median(rounds.map(({ p50 }, round) => p50 / (smallest?.rounds[round]?.p50 ?? Number.NaN))),
  }))
}

function p50Of({ rounds }: FlatnessCell) {
  return median(rounds.map(({ p50 }) => p50))
}

async function requireItems({ size, url, key }: SizedStore, { name, request, least }: Question) {
  using client = new Client(key)
  const { status, text } = await client.send(url, request(size))
  const body = JSON.parse(text) as unknown[] | { count?: number }
  const items = Array.isArray(body) ? body.length : (body.count ?? 0)
  if (status !== 200 || items < least)
    throw new Error(`${name} at ${sizeName(size)}: ${status} with ${items} items, not ${least} at least`)
}
