/** One fault, of the kinds that services really have, and what must notice it. */
export interface Mutant {
  name: string
  /** What is broken, for the report. */
  what: string
  file: string
  edits: [find: string, replace: string][]
  kill: Kill
}

/** Clauses as `petstore verify --only` takes them; or the tests of a file that have `names` in their names. */
export type Kill = string | { test: string; names: string }
