import { availableParallelism } from 'node:os'
import type { Mutant } from './mutant.ts'

const MAX_NAMED = 3

export interface Outcome extends Mutant {
  /** The ids of the clauses or the names of the tests that failed, of those that had to. */
  failed: string[]
  /** Why it could not be tried. */
  error?: string
}

export function report(outcomes: readonly Outcome[], seconds: number) {
  const caught = outcomes.filter(({ failed }) => failed.length > 0).length
  const rows = outcomes.map(({ name, what, file, kill, failed }) => {
    const test = typeof kill === 'string' ? '' : `\`${kill.test}\`: `
    return `| ${name} | ${what} | \`${file}\` | ${failed.length > 0 ? test + shown(failed) : '**escaped**'} |`
  })
  return `# Mutants: the checks can fail

A check that can't fail proves nothing. \`npm run mutants\` breaks the service or the console in one place at a time, and runs the clauses
of \`petstore verify\` or the tests that guard that place: at least one of them must fail. They pass on the healthy service, which is
checked first. Last run on ${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, ${Math.round(seconds)} s: **${caught} of ${outcomes.length} caught**.

| mutant | what is broken | where | caught by |
|---|---|---|---|
${rows.join('\n')}
`
}

function shown(failed: readonly string[]) {
  const named = failed.slice(0, MAX_NAMED).join(', ')
  return failed.length > MAX_NAMED ? `${named} and ${failed.length - MAX_NAMED} more` : named
}
