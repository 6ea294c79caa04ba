import type { ImportState } from '../../domain/types/import.ts'
import { count, duration, many } from '../progress.ts'

// A longer list does not help, and a file of empty lines has millions.
const MAX_LISTED = 20

/** Reports the first lines that are rejected, and of the others how many. */
export function reportRejected(print: (text: string) => void) {
  let rejected = 0
  return {
    add(line: number, reason: string) {
      // Terminals interpret control characters, and a reason may contain some of the input.
      if (++rejected <= MAX_LISTED) print(`line ${line}: ${reason.replaceAll(/\p{Cc}/gu, '?')}`)
      if (rejected === MAX_LISTED + 1) print('… Further rejected lines are counted, not listed.')
    },
    end() {
      if (rejected > MAX_LISTED) print(`… and ${many(rejected - MAX_LISTED, 'more rejected line')}.`)
    },
  }
}

/** The lines that hold a pet, or should: `state.lines` counts the header of a CSV file too. */
export function recordsIn({ added, rejected }: Pick<ImportState, 'added' | 'rejected'>) {
  return added + rejected
}

interface RunFacts {
  /** How many lines an earlier run had read. */
  before: number
  seconds: number
  isDryRun: boolean
}

export function summary(state: ImportState, { before, seconds, isDryRun }: RunFacts) {
  const { added, rejected } = state
  const read = recordsIn(state)
  const speed = `${duration(seconds)}, ${count((read - before) / seconds)} lines/s`
  const earlier = before > 0 ? `; ${many(before, 'line')} imported by an earlier run` : ''
  const verb = isDryRun ? 'would add' : 'added'
  return `Read ${many(read, 'line')}: ${verb} ${many(added, 'pet')}, rejected ${count(rejected)} (${speed}${earlier}).`
}

interface Next {
  source: string | null
  isDryRun: boolean
  /** Where the rejected lines are, if they were written. */
  rejects: string | undefined
  /** What `import` needs to know about that file. */
  formatOption: string
}

/** What to do about the lines that were rejected. */
export function nextStep({ added, rejected }: ImportState, { source, isDryRun, rejects, formatOption }: Next) {
  const them = many(rejected, 'rejected line')
  if (rejects !== undefined && isDryRun) return `Wrote ${them} to ${rejects}.`
  if (rejects !== undefined)
    return `Wrote ${them} to ${rejects}. Fix them there, then run: petstore import ${rejects}${formatOption}`
  if (isDryRun) return 'Nothing was stored. Fix the rejected lines, or write them to a file with --rejects FILE.'
  if (added === 0) return 'No line was stored. Fix the file, then run the same command.'
  const collect =
    source === null
      ? 'Next time, collect them with --rejects FILE.'
      : `To collect them: petstore import ${source}${formatOption} --dry-run --rejects FILE`
  return `The other lines are stored. Fix only the ${them}, in a separate file, and import that file: importing this one again would add the stored lines twice. ${collect}`
}
