/**
 * The versions that a row may have for a change: any, or one of these; `none` if it must not exist; undefined if the caller has not said.
 */
export type Condition = '*' | 'none' | readonly bigint[] | undefined

/** As statements read it: null without a condition, `*`, `none`, or versions joined by commas. */
export function matchesOf(condition: Condition) {
  return typeof condition === 'string' ? condition : (condition?.join() ?? null)
}
