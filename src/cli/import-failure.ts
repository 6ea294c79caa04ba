import { type ImportState, StrictStop } from '../domain/import.ts'
import { ImportConflict } from '../domain/import-progress.ts'
import { explain } from './failure.ts'
import { count, many } from './progress.ts'

/** What a person is told about an import that did not come to its end: why, what is kept, and how to go on. */
export function whyImportStopped(error: unknown, source: string, stored: ImportState | undefined) {
  if (error instanceof ImportConflict) return conflictSentence(error, source)
  const kept = stored
    ? `Done up to line ${count(stored.lines)} (${many(stored.added, 'pet')} added, ${many(stored.refused, 'line')} refused): the same command goes on behind it.`
    : 'Nothing was added: the same command begins anew.'
  return `${why(error, source)}\n${kept}`
}

function why(error: unknown, source: string) {
  if (error instanceof StrictStop) return 'Stopped at the first line that is refused, as --strict asks. Mend it.'
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('Z_')) return `${source} is cut off, or not gzip (${(error as Error).message}).`
  return explain(error).message
}

function conflictSentence({ reason, other }: ImportConflict, source: string) {
  const earlier = `${other.name ?? 'standard input'}, ${many(other.lines, 'line')}, ${many(other.added, 'pet')} added`
  const sentences: Record<ImportConflict['reason'], string> = {
    finished: `${source} is imported already, or begins like what is: ${earlier}, finished at ${minute(other.finishedAt)}. To import it all the same, from its first line, add --again.`,
    differs: `${source} is not what it was when its import began (${earlier}, stopped at ${minute(other.updatedAt)}). Bring the old content back to go on. Or give that import up with --again: its pets stay, and this content is imported from its first line.`,
    'given up': `${source} is not what it was when its import began (${earlier}). That import is given up now, and its pets stay: run the command once more to import this content from its first line.`,
    elsewhere: `Another process imports ${source}, or did so a moment ago. This one has stopped; nothing was added twice.`,
  }
  return sentences[reason]
}

function minute(date: Date | null | undefined) {
  return date ? `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'not long ago'
}
