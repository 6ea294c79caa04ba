import { type Attempt, Attempts, type Outcome } from './attempt.ts'
import type { Clause, Profile } from './clause.ts'
import { CONTRACT } from './contract.ts'
import type { Keys, OtherKey } from './placeholders.ts'
import { Lost, type Sent, type Violation } from './response.ts'
import { splitByWaiting } from './waiting.ts'

/** Each holds those before it. */
const PROFILES: Profile[] = ['spec', 'full', 'store']
const AT_ONCE = 16
/** Besides: those that mostly wait are no load, and the run takes about as long as the longest of them. */
const WAITING_AT_ONCE = 12
const MAX_CRASHES = 3

/** The server stopped while clauses were tried. */
export interface Crash {
  /** What had no response at that moment, the latest first. */
  inFlight: Sent[]
  /** Those of them that stopped it again when their clause was tried alone, and that clause. */
  culprit?: { clause: Clause; requests: Sent[] }
  /** Whether it listened again, so that they could be repeated. */
  back: boolean
}

interface Run {
  outcomes: Outcome[]
  crashes: Crash[]
}

/** The clauses of a run, in the order of the contract. */
export function clausesOf(profile: Profile, keys: Pick<Keys, OtherKey>) {
  const profiles = PROFILES.slice(0, PROFILES.indexOf(profile) + 1)
  return CONTRACT.filter(
    (clause) => profiles.includes(clause.profile) && (!clause.needs || keys[clause.needs] !== undefined),
  )
}

export interface Options {
  /** Stops at the first failure. */
  bail?: boolean
  /** Stops when it aborts. */
  signal?: AbortSignal
  onOutcome: (outcome: Outcome) => void
}

/** Tries every clause on the service at this URL, several at a time; none depends on another. */
export async function verify(base: URL, keys: Keys, clauses: Clause[], { bail = false, signal, onOutcome }: Options) {
  await using attempts = new Attempts(base, keys)
  const outcomes = new Map<Clause, Outcome>()
  const crashes: Crash[] = []
  const ended = Promise.withResolvers<void>()
  const state = { over: false }
  const record = (outcome: Outcome) => {
    if (state.over) return
    outcomes.set(outcome.clause, outcome)
    onOutcome(outcome)
    state.over = bail && outcome.failure !== undefined
    if (state.over) ended.resolve()
  }
  const untried = () => clauses.filter((clause) => !outcomes.has(clause))

  let reason = 'stopped at the first failure'
  const stop = () => {
    reason = 'stopped'
    state.over = true
    ended.resolve()
  }
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop)
  while (!state.over && untried().length > 0) {
    const lost = await Promise.race([tryTogether(attempts, untried(), record), ended.promise])
    if (!lost || lost.length === 0) continue
    const crash = crashIn(lost)
    if (crash) crashes.push(crash)
    await tryAlone(attempts, lost, crash, record)
    if (!crash || (crash.back && crashes.length < MAX_CRASHES)) continue
    reason = crash.back ? `the server stopped ${MAX_CRASHES} times` : 'the server stopped and did not come back'
    break
  }
  state.over = true // what is still in flight counts no more
  for (const clause of untried()) {
    const outcome = { clause, ms: 0, notTried: reason }
    outcomes.set(clause, outcome)
    onOutcome(outcome)
  }
  return { outcomes: clauses.flatMap((clause) => outcomes.get(clause) ?? []), crashes } satisfies Run
}

/** Until all are through or the server is gone. Returns those that may have failed by what another one did. */
async function tryTogether(attempts: Attempts, clauses: Clause[], record: (outcome: Outcome) => void) {
  const lost: (Attempt & { lost: Violation })[] = []
  const { waiting, others } = splitByWaiting(clauses)
  const worker = async (queue: Iterable<Clause>) => {
    for (const clause of queue) {
      const attempt = await attempts.try(clause)
      if (attempt.lost) lost.push({ ...attempt, lost: attempt.lost })
      else record(attempt.outcome)
      if (lost.some(({ gone }) => gone)) return
    }
  }
  const workers = (count: number, queue: Iterable<Clause>) => Array.from({ length: count }, () => worker(queue))
  await Promise.all([...workers(WAITING_AT_ONCE, waiting.values()), ...workers(AT_ONCE, others.values())])
  return lost
}

type LostOnes = Awaited<ReturnType<typeof tryTogether>>

function crashIn(lost: LostOnes): Crash | undefined {
  if (!lost.some(({ gone }) => gone)) return undefined
  // The first one that noticed saw the most of what was in flight.
  const lists = lost.flatMap(({ gone, lost: violation }) =>
    gone && violation instanceof Lost ? [violation.inFlight] : [],
  )
  return { inFlight: lists.toSorted((a, b) => b.length - a.length)[0] ?? [], back: false }
}

/**
 * Tries them one after the other: now a lost connection is the clause's own fault. If none is lost again, and the server
 * never stopped, the first outcome counts.
 */
async function tryAlone(attempts: Attempts, lost: LostOnes, crash: Crash | undefined, record: Options['onOutcome']) {
  const seen: Outcome[] = []
  let guilty = false
  for (const { outcome } of lost) {
    const back = await attempts.back()
    if (crash) crash.back = back
    if (!back) break
    const attempt = await attempts.try(outcome.clause)
    const { lost: again } = attempt
    if (again) guilty = true
    if (crash && again && attempt.gone)
      crash.culprit ??= { clause: outcome.clause, requests: again instanceof Lost ? again.inFlight : [again.request] }
    seen.push(attempt.outcome)
  }
  if (crash && seen.length === lost.length) crash.back = await attempts.back()
  for (const [i, { outcome }] of lost.entries()) {
    const alone = seen[i]
    if (alone) record(guilty || crash ? alone : outcome)
  }
}
