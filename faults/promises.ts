import type { Verdict } from './check.ts'
import type { Load } from './load.ts'

/** How a call may fail: refused by 503 or 409, both of which say to try again, or given up by the client, unanswered. */
const REFUSALS = ['unavailable', 'overloaded', 'idempotency_in_progress', 'deadline_exceeded', 'connection_failed']

/** The figures that every fault under load has. */
export function countsOf(load: Load, { lost, twice }: Verdict) {
  return {
    acked: load.acknowledged.length,
    lost: lost.length,
    twice: twice.length,
    failed: load.failed.length,
    ...(load.failed.length > 0 ? { failedBy: countsByCode(load) } : {}),
  }
}

export function countsByCode({ failed }: Pick<Load, 'failed'>) {
  const counts: Record<string, number> = {}
  for (const { code } of failed) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

/** What no fault may break, of what was stored. */
export function brokenBy({ lost, twice, shared }: Verdict) {
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged pets are lost, like "${lost[0]}"`] : []),
    ...(twice.length > 0 ? [`${twice.length} pets are stored more than once, like "${twice[0]}"`] : []),
    ...(shared.length > 0 ? [`${shared.length} ids were given to more than one pet, like ${shared[0]}`] : []),
  ]
}

/** What no fault may break, of how calls are refused. */
export function brokenRefusals({ failed, withoutRetryAfter }: Pick<Load, 'failed' | 'withoutRetryAfter'>) {
  const odd = failed.filter(({ code }) => !REFUSALS.includes(code))
  const hasty = withoutRetryAfter()
  return [
    ...(odd[0] ? [`${odd.length} calls were neither answered nor refused, like "${odd[0].name}": ${odd[0].code}`] : []),
    ...(hasty > 0 ? [`${hasty} answers with 503 had no Retry-After`] : []),
  ]
}

/** For faults that nobody may notice. */
export function failuresOf({ failed }: Load) {
  const [first] = failed
  return first ? [`${failed.length} calls failed, like "${first.name}": ${first.code}`] : []
}
