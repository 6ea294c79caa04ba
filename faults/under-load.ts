import { setTimeout as sleep } from 'node:timers/promises'
import { compare } from './check.ts'
import type { Fault, Outcome, Stage } from './fault.ts'
import { type Acknowledged, type Load, type LoadOptions, startLoad } from './load.ts'
import { brokenBy, brokenRejections, countsOf, failuresOf } from './promises.ts'
import type { Rig } from './rig/rig.ts'
import { until } from './rig/until.ts'

/** Something that breaks while pets are being added. */
export interface Injection extends Pick<Fault, 'name' | 'injected' | 'quick'> {
  /** How many rounds the whole form has; the short form has one. */
  times: number
  /** Breaks something and repairs it. The round ends when the rig is whole. */
  inject: (rig: Rig, round: Round) => Promise<void>
  load?: Pick<LoadOptions, 'perSecond' | 'callers' | 'deadlineMs' | 'retries'>
  /** What else must hold, in a few words. */
  holds?: string
  /** Whether no request may fail. */
  noneFails?: boolean
  /** Whether clients without retries add pets too; how many of their requests fail is reported. */
  othersNeverRetry?: boolean
}

export interface Round {
  /** From 1. */
  number: number
  /** The clients without retries, if the injection has them. */
  others: Load | undefined
  /** Reports an invariant that does not hold. */
  broke: (sentence: string) => void
}

/** So that a round begins undisturbed. */
const SETTLE_MS = 1_000
const COMPARED_WITHIN_MS = 60_000
/** Beside the load, and often enough that some are in flight at any moment. */
const NEVER_RETRY = { retries: 0, perSecond: 200 }

/** An injection, repeated: no pet may be lost, and none stored twice. */
export function underLoad(injection: Injection): Fault {
  const { name, injected, quick = false, holds, noneFails = false, othersNeverRetry = false } = injection
  const run = async (stage: Stage): Promise<Outcome> => {
    const times = stage.times ?? (stage.quick ? 1 : injection.times)
    const rig = await stage.rig()
    const label = `${name} ${Date.now()}`
    const target = { baseUrl: rig.baseUrl, key: rig.key, keyed: stage.keyed }
    const load = startLoad({ ...injection.load, ...target, label })
    const others = othersNeverRetry ? startLoad({ ...target, label: `${label} once`, ...NEVER_RETRY }) : undefined
    const [outages, broken]: [number[], string[]] = [[], []]
    const begun = performance.now()
    for (let number = 1; number <= times; number++) {
      const round = { number, others, broke: (sentence: string) => broken.push(`round ${number}: ${sentence}`) }
      const played = await playRound(rig, load, injection, round)
      if (played === undefined) break
      outages.push(played.outageMs)
      stage.say(`${name} ${number} of ${times}: ${played.summary}`)
    }
    const secondsPerRound = Number(((performance.now() - begun) / 1_000 / outages.length).toFixed(1))
    await Promise.all([load.stop(), others?.stop()])
    const acknowledged = [...load.acknowledged, ...(others?.acknowledged ?? [])]
    const verdict = await compareOnRig(rig, label, acknowledged)
    return {
      times: outages.length,
      ...countsOf(load, verdict),
      acked: acknowledged.length,
      ...(others ? { calledWithoutRetry: callsOf(others), failedWithoutRetry: others.failed.length } : {}),
      outageMs: { p50: percentile(outages, 0.5), max: percentile(outages, 1) },
      secondsPerRound,
      broken: [
        ...brokenBy(verdict),
        ...broken,
        ...brokenRejections(load),
        ...(others ? brokenRejections(others) : []),
        ...(noneFails ? failuresOf(load) : []),
      ],
    }
  }
  const invariant = ['none lost', 'none twice', 'all found by name', holds, noneFails ? 'no request fails' : undefined]
  return { name, injected, quick, invariant: invariant.filter(Boolean).join(', '), run }
}

/** What a round looks at of the load. */
type Watched = Pick<Load, 'nextAcknowledged' | 'settled' | 'longestGapMs'> & {
  acknowledged: readonly unknown[]
  failed: readonly unknown[]
}

/** Returns nothing when the round failed: the state in which the next one would begin is unknown then. */
export async function playRound(rig: Rig, load: Watched, { inject }: Injection, round: Round) {
  try {
    await load.nextAcknowledged()
    await sleep(SETTLE_MS)
    const [from, before] = [performance.now(), load.acknowledged.length]
    await inject(rig, round)
    await rig.whole()
    await load.nextAcknowledged()
    // Or a request that this round has delayed would meet the next one too, within the same deadline.
    await load.settled()
    const to = performance.now()
    const outageMs = load.longestGapMs(from, to)
    const counts = `${load.acknowledged.length - before} acknowledged, ${load.failed.length} failed so far`
    return { outageMs, summary: `outage ${seconds(outageMs)}, whole after ${seconds(to - from)}, ${counts}` }
  } catch (error) {
    round.broke(String(error))
    return undefined
  }
}

/** The primary may still be missing for a moment, and the results of an hour must not be lost for that. */
export async function compareOnRig(rig: Rig, label: string, acknowledged: Acknowledged[]) {
  return await until('what is stored can be read', COMPARED_WITHIN_MS, () => compare(rig, label, acknowledged))
}

function callsOf({ acknowledged, failed }: Load) {
  return acknowledged.length + failed.length
}

export function percentile(values: number[], share: number) {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0)
}

function seconds(ms: number) {
  return `${(ms / 1_000).toFixed(1)} s`
}
