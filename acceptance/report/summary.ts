import type { Failure, Outcome } from '../attempt.ts'
import type { Profile } from '../clause.ts'
import type { Crash } from '../run.ts'

export interface Report {
  base: URL
  profile: Profile
  outcomes: Outcome[]
  crashes: Crash[]
}

type Failed = Outcome & { failure: Failure }

/** Clauses that expected the same and saw the same: most likely one fault. */
export interface Cause {
  expected: string
  seen: string
  /** Of the interface, when one of its clauses is. */
  profile: Profile
  failed: [Failed, ...Failed[]]
}

/** What the interface suffers from first, and the cause of most failures before the others. */
export function causesOf(outcomes: Outcome[]): Cause[] {
  const failed = outcomes.filter((outcome): outcome is Failed => outcome.failure !== undefined)
  const groups = Map.groupBy(failed, ({ failure: { expected, seen } }) => `${expected}\n${seen}`)
  const causes = [...groups.values()].flatMap(([first, ...more]): Cause[] => {
    if (!first) return []
    const inInterface = [first, ...more].some(({ clause }) => clause.profile === 'spec')
    const { expected, seen } = first.failure
    return [{ expected, seen, profile: inInterface ? 'spec' : 'full', failed: [first, ...more] }]
  })
  const rank = ({ profile, failed: { length } }: Cause) => (profile === 'spec' ? 0 : 1) * outcomes.length * 2 - length
  return causes.toSorted((a, b) => rank(a) - rank(b))
}

export interface Tally {
  total: number
  passed: number
  failed: number
  notTried: number
}

export function tallyOf(outcomes: Outcome[], profile?: Profile): Tally {
  const counted = outcomes.filter(({ clause }) => profile === undefined || clause.profile === profile)
  const failed = counted.filter(({ failure }) => failure !== undefined).length
  const notTried = counted.filter((outcome) => outcome.notTried !== undefined).length
  return { total: counted.length, passed: counted.length - failed - notTried, failed, notTried }
}

/** `Interface: 128 of 128 clauses pass. Beyond it: 20 of 436 clauses pass. The store: …` */
export function verdictOf(outcomes: Outcome[]) {
  const parts = [
    ['Interface', tallyOf(outcomes, 'spec')],
    ['Beyond it', tallyOf(outcomes, 'full')],
    ['The store', tallyOf(outcomes, 'store')],
  ] as const
  return parts
    .filter(([, { total }]) => total > 0)
    .map(([name, { passed, total, notTried }]) => {
      const rest = notTried === 0 ? '' : `, ${notTried} not tried`
      return `${name}: ${passed} of ${total} clauses pass${rest}.`
    })
    .join(' ')
}

/** For a person: what the server was doing when it stopped. The lines with four spaces are commands. */
export function describeCrash({ inFlight, culprit, back }: Crash) {
  const lines = (requests: { curl: string }[]) => requests.map(({ curl }) => `    ${curl}\n`).join('')
  const head = `The server stopped while these requests were in flight, the latest first:\n${lines(inFlight)}`
  if (culprit) return `${head}  This stops it when sent alone (${culprit.clause.id}):\n${lines(culprit.requests)}`
  if (back) return `${head}  None of them stopped it again when sent alone.\n`
  return `${head}  It did not come back, so they could not be repeated: start it again, and send them one at a time.\n`
}
