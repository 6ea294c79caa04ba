import type { Expectation, Knowledge, Walk } from './expectation.ts'

/** A cursor is good for the kind of list that has returned it; one that is not known may be anything. */
export function judgeCursor(walk: Walk, cursor: string | undefined, known: Knowledge): Expectation {
  if (cursor === undefined) return { statuses: [200] }
  const from = known.walkOf(cursor)
  if (from === walk) return { statuses: [200] }
  return { statuses: from === undefined ? [200, 400] : [400], codes: ['invalid_cursor'] }
}
