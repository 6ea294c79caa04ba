export interface Mutant {
  name: string
  /** What is broken, for the report. */
  what: string
  file: string
  edits: [find: string, replace: string][]
}
