import type { Verdict } from './check.ts'
import type { Load } from './load.ts'

/** How a request may fail: rejected with 503 or 409, both of which ask to retry, or given up by the client. */
const EXPECTED_CODES = [
  'unavailable',
  'overloaded',
  'idempotency_in_progress',
  'deadline_exceeded',
  'connection_failed',
]

/** The counts that every fault under load has. */
export function countsOf(load: Load, { lost, twice, unfound }: Verdict) {
  return {
    acked: load.acknowledged.length,
    lost: lost.length,
    twice: twice.length,
    unfound: unfound.length,
    failed: load.failed.length,
    ...(load.failed.length > 0 ? { failedBy: countsByCode(load) } : {}),
  }
}

export function countsByCode({ failed }: Pick<Load, 'failed'>) {
  const counts: Record<string, number> = {}
  for (const { code } of failed) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

/** What no fault may break in what was stored. */
export function brokenBy({ lost, twice, shared, unfound }: Verdict) {
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged pets are lost, like "${lost[0]}"`] : []),
    ...(twice.length > 0 ? [`${twice.length} pets are stored more than once, like "${twice[0]}"`] : []),
    ...(shared.length > 0 ? [`${shared.length} ids were given to more than one pet, like ${shared[0]}`] : []),
    ...brokenSearches(unfound),
  ]
}

export function brokenSearches(unfound: string[]) {
  return unfound.length > 0
    ? [`${unfound.length} pets are not found by their names, each once, as they are stored, like "${unfound[0]}"`]
    : []
}

/** What no fault may break in how requests are rejected. */
export function brokenRejections({ failed, withoutRetryAfter }: Pick<Load, 'failed' | 'withoutRetryAfter'>) {
  const odd = failed.filter(({ code }) => !EXPECTED_CODES.includes(code))
  const hasty = withoutRetryAfter()
  return [
    ...(odd[0] ? [`${odd.length} requests failed in an unexpected way, like "${odd[0].name}": ${odd[0].code}`] : []),
    ...(hasty > 0 ? [`${hasty} responses with 503 had no Retry-After`] : []),
  ]
}

/** For faults that no client may notice. */
export function failuresOf({ failed }: Load) {
  const [first] = failed
  return first ? [`${failed.length} requests failed, like "${first.name}": ${first.code}`] : []
}
