import { StrictStop } from '../../domain/import.ts'
import { ImportConflict } from '../../domain/import-progress.ts'
import type { ImportState } from '../../domain/types/import.ts'
import { errorCode, errorMessage } from '../../lib/errors.ts'
import { explain } from '../failure.ts'
import { count, many } from '../progress.ts'
import { formatMinute } from '../time.ts'
import { recordsIn } from './report.ts'

/** The message about an import that stopped early: why, what is stored, and how to resume. */
export function whyImportStopped(error: unknown, source: string, stored: ImportState | undefined) {
  if (error instanceof ImportConflict) return conflictSentence(error, source)
  const kept = stored
    ? `Imported up to line ${count(stored.lines)} (${many(stored.added, 'pet')} added, ${many(stored.rejected, 'line')} rejected). Run the same command to resume.`
    : 'Nothing was added. Run the same command to start again.'
  return `${why(error, source)}\n${kept}`
}

/** What went wrong, for a terminal. */
export function why(error: unknown, source: string) {
  if (error instanceof StrictStop) return 'Stopped at the first rejected line, because of --strict. Fix that line.'
  if (errorCode(error).startsWith('Z_')) return `${source} is truncated or not gzip (${errorMessage(error)}).`
  // Terminals interpret control characters, and a message may contain some of the input.
  return explain(error).message.replaceAll(/[^\P{Cc}\n]/gu, '?')
}

function conflictSentence({ reason, other }: ImportConflict, source: string) {
  const earlier = `${other.name ?? 'standard input'}, ${many(recordsIn(other), 'line')}, ${many(other.added, 'pet')} added`
  const last = other.finishedAt ? `finished at ${timeOf(other.finishedAt)}` : `stopped at ${timeOf(other.updatedAt)}`
  const sentences: Record<ImportConflict['reason'], string> = {
    finished: `${source} is imported already, or begins with the same 64 KiB as a file that is: ${earlier}, ${last}. To import every line of it anyway, add --again.`,
    differs: `${source} has changed since its import began (${earlier}, ${last}). Restore the old content to resume. Or abandon that import with --again: its pets stay, and this content is imported from its first line.`,
    'given up': `${source} has changed since its import began (${earlier}). That import is now abandoned, and its pets stay. Run the command again to import this content from its first line.`,
    elsewhere: `Another process is importing ${source}, or was a moment ago. This one has stopped; nothing was added twice.`,
  }
  return sentences[reason]
}

function timeOf(date: Date | undefined) {
  return date ? `${formatMinute(date)} UTC` : 'a moment ago'
}
