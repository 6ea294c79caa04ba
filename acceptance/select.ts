import { type Clause, groupOf } from './clause.ts'

/** The clauses that one of the patterns names: a whole group, or a part of an id or a sentence. */
export function select(clauses: Clause[], patterns: string[]) {
  if (patterns.length === 0) return clauses
  const groups = new Set(clauses.map(groupOf))
  return clauses.filter((clause) =>
    patterns.some((pattern) => {
      if (groups.has(pattern)) return groupOf(clause) === pattern
      return `${clause.id}\n${clause.sentence}`.toLowerCase().includes(pattern.toLowerCase())
    }),
  )
}
