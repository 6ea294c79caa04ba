import { setTimeout as sleep } from 'node:timers/promises'
import { compare, type Verdict } from './check.ts'
import type { Fault, Outcome, Stage } from './fault.ts'
import { type Load, type LoadOptions, startLoad } from './load.ts'
import type { Rig } from './rig/rig.ts'
import { WaitedInVain } from './rig/until.ts'

/** Something that breaks while pets are being added. */
export interface Injection extends Pick<Fault, 'name' | 'injected' | 'quick'> {
  /** How many rounds the whole form has; the short form has one. */
  times: number
  /** Breaks something and mends it again. The round ends when the rig is whole. */
  inject: (rig: Rig, round: Round) => Promise<void>
  load?: Pick<LoadOptions, 'perSecond' | 'callers' | 'deadlineMs' | 'retries'>
  /** What else must hold, in a few words. */
  holds?: string
  /** Whether a call that fails breaks a promise. */
  nobodyFails?: boolean
}

export interface Round {
  /** From 1. */
  number: number
  /** Tells of something that must hold and does not. */
  broke: (sentence: string) => void
}

/** So that a round begins in peace. */
const SETTLE_MS = 1_000

/** An injection, again and again: no pet may be lost, and none stored twice. */
export function underLoad(injection: Injection): Fault {
  const { name, injected, quick = false, holds, nobodyFails = false } = injection
  const run = async (stage: Stage): Promise<Outcome> => {
    const times = stage.times ?? (stage.quick ? 1 : injection.times)
    const rig = await stage.rig()
    const label = `${name} ${Date.now()}`
    const load = startLoad({ ...injection.load, baseUrl: rig.baseUrl, key: rig.key, label, keyed: stage.keyed })
    await load.nextAcknowledged()
    const outages: number[] = []
    const broken: string[] = []
    const begun = performance.now()
    for (let number = 1; number <= times; number++) {
      const round = { number, broke: (sentence: string) => broken.push(`round ${number}: ${sentence}`) }
      const played = await playRound(rig, load, injection, round)
      if (played === undefined) break
      outages.push(played.outageMs)
      stage.say(`${name} ${number} of ${times}: ${played.told}`)
    }
    const secondsPerRound = Number(((performance.now() - begun) / 1_000 / times).toFixed(1))
    await load.stop()
    const verdict = await compare(rig.databaseUrl, label, load.acknowledged)
    return {
      times,
      ...countsOf(load, verdict),
      outageMs: { p50: percentile(outages, 0.5), max: percentile(outages, 1) },
      secondsPerRound,
      broken: [...brokenBy(verdict), ...broken, ...(nobodyFails ? failuresOf(load) : [])],
    }
  }
  const invariant = ['none lost', 'none twice', holds, nobodyFails ? 'no call fails' : undefined]
  return { name, injected, quick, invariant: invariant.filter(Boolean).join(', '), run }
}

/** Gives nothing back when the rig did not become whole again: then there can't be another round. */
export async function playRound(rig: Rig, load: Load, { inject }: Injection, round: Round) {
  await sleep(SETTLE_MS)
  const [from, before] = [performance.now(), load.acknowledged.length]
  try {
    await inject(rig, round)
    await rig.whole()
    await load.nextAcknowledged()
    // Or a call that this round has held up would meet the next one too, within the same deadline.
    await load.settled()
  } catch (error) {
    if (!(error instanceof WaitedInVain)) throw error
    round.broke(error.message)
    return undefined
  }
  const to = performance.now()
  const outageMs = load.longestGapMs(from, to)
  const counts = `${load.acknowledged.length - before} acknowledged, ${load.failed.length} failed so far`
  return { outageMs, told: `outage ${seconds(outageMs)}, whole after ${seconds(to - from)}, ${counts}` }
}

/** The figures that every fault under load has. */
export function countsOf(load: Load, { lost, twice }: Verdict) {
  return {
    acked: load.acknowledged.length,
    lost: lost.length,
    twice: twice.length,
    failed: load.failed.length,
  }
}

/** What no fault may break. */
export function brokenBy({ lost, twice }: Verdict) {
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged pets are lost, like "${lost[0]}"`] : []),
    ...(twice.length > 0 ? [`${twice.length} pets are stored more than once, like "${twice[0]}"`] : []),
  ]
}

function failuresOf({ failed }: Load) {
  const [first] = failed
  return first ? [`${failed.length} calls failed, like "${first.name}": ${first.code}`] : []
}

export function percentile(values: number[], share: number) {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0)
}

function seconds(ms: number) {
  return `${(ms / 1_000).toFixed(1)} s`
}
