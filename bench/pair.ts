import type { Interval } from './median-interval.ts'
import type { Operation } from './operations.ts'
import { ratioInterval } from './ratio-interval.ts'
import { markdownTable, whole } from './report.ts'
import { log } from './rig.ts'
import type { Service } from './service.ts'
import { compareInTurns, type Work } from './turns.ts'

export const CONNECTIONS = 64

export interface PairPlan {
  /** Two processes of one program differ until they end. Fewer starts than six have no interval of 95 %. */
  starts: number
  warmUp: number
  seconds: number
  pets: number
}

/** What both services are asked, each with a key of its own. */
export interface Trial {
  name: string
  operation: Operation
  keys: string[]
}

/** One operation: a service compared with another. */
export interface Comparison {
  operation: string
  /** Requests a second over all starts. */
  old: number
  new: number
  /** New to old, of the rates. */
  ratio: Interval
  /** Microseconds of the service's CPU for each request. */
  oldCpu: number
  newCpu: number
  /** New to old, of these. */
  cpuRatio: Interval
}

/** Two services at the same time, in turns, and both started several times. The first of them is the old one. */
export async function comparePair(
  resources: AsyncDisposableStack,
  startBoth: () => Promise<Service[]>,
  trials: Trial[],
  { starts, warmUp, seconds, pets }: PairPlan,
): Promise<Comparison[]> {
  const works = new Map(trials.map((trial) => [trial, [] as Work[][]]))
  for (let start = 1; start <= starts; start++) {
    await using started = resources.use(new AsyncDisposableStack())
    const services = await startBoth()
    started.defer(async () => void (await Promise.all(services.map((service) => service[Symbol.asyncDispose]()))))
    // The load on the first begins a little earlier, which is worth some per cent: each is the first in half of the starts.
    const inOrder = <T>(pair: T[]) => (start % 2 === 0 ? pair.toReversed() : pair)
    for (const [{ name, operation, keys }, rounds] of works) {
      log(`start ${start} of ${starts}: ${name} …`)
      const contestants = inOrder(services.map((service, i) => ({ ...service, key: keys[i] ?? '' })))
      const load = { connections: CONNECTIONS, pets }
      await compareInTurns(contestants, operation, { ...load, seconds: warmUp })
      rounds.push(inOrder(await compareInTurns(contestants, operation, { ...load, seconds })))
    }
  }
  return Array.from(works, ([{ name }, rounds]) => comparisonOf(name, rounds))
}

function comparisonOf(operation: string, rounds: Work[][]): Comparison {
  const total = (index: number, what: keyof Work) =>
    rounds.reduce((sum, works) => sum + (works[index]?.[what] ?? Number.NaN), 0)
  const rate = (work: Work | undefined) => (work ? work.requests / work.seconds : Number.NaN)
  const cpu = (work: Work | undefined) => (work ? work.cpuSeconds / work.requests : Number.NaN)
  return {
    operation,
    old: total(0, 'requests') / total(0, 'seconds'),
    new: total(1, 'requests') / total(1, 'seconds'),
    oldCpu: (total(0, 'cpuSeconds') / total(0, 'requests')) * 1e6,
    newCpu: (total(1, 'cpuSeconds') / total(1, 'requests')) * 1e6,
    ratio: ratioInterval(rounds.map(([older, newer]) => rate(newer) / rate(older))),
    cpuRatio: ratioInterval(rounds.map(([older, newer]) => cpu(newer) / cpu(older))),
  }
}

/** `old` and `new` are what the two services are called. */
export function comparisonTable(comparisons: Comparison[], old = 'old', newer = 'new') {
  const ratioHead = [`${newer} / ${old}`, '95 % interval']
  return markdownTable(
    ['operation', `${old} /s`, `${newer} /s`, ...ratioHead, `CPU ${old}`, `CPU ${newer}`, ...ratioHead],
    comparisons.map((comparison) => [
      comparison.operation,
      whole(comparison.old),
      whole(comparison.new),
      ...withInterval(comparison.ratio),
      `${comparison.oldCpu.toFixed(1)} µs`,
      `${comparison.newCpu.toFixed(1)} µs`,
      ...withInterval(comparison.cpuRatio),
    ]),
  )
}

function withInterval({ median, low, high }: Interval) {
  return [median.toFixed(3), `${low.toFixed(3)} to ${high.toFixed(3)}`]
}
