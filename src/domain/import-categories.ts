import { lineSplitter } from '../lib/lines.ts'
import type { CategoryName } from '../storage/categories/changes.ts'
import { putAll } from '../storage/categories/copy.ts'
import type { BulkConnection } from '../storage/postgres/bulk.ts'
import type { LineReader, Pieces } from './import-input.ts'

export interface CategoryInput {
  pieces: Pieces
  readLine: LineReader<CategoryName>
  maxLineBytes: number
}

const MAX_BATCH = 1_000

/**
 * Gives a category its name for each line; of several lines for one, the last decides. Nothing is stored about the import: run again, it
 * changes nothing more.
 */
export async function importCategories(
  { db }: { db: BulkConnection },
  { pieces, readLine, maxLineBytes }: CategoryInput,
  onRejected: (line: number, reason: string) => void,
) {
  const totals = { lines: 0, added: 0, changed: 0, rejected: 0 }
  const batch: CategoryName[] = []
  const store = async () => {
    while (batch.length > 0) {
      const part = batch.splice(0, MAX_BATCH)
      const { added, changed } = await putAll(db, [...new Map(part.map((each) => [each.id, each])).values()])
      totals.added += added
      totals.changed += changed
    }
  }
  const lines = lineSplitter(maxLineBytes, (line) => {
    totals.lines++
    const category = readLine(line)
    if (typeof category === 'string') {
      totals.rejected++
      onRejected(totals.lines, category)
    } else batch.push(category)
  })
  for await (const piece of pieces) {
    lines.push(piece)
    if (batch.length >= MAX_BATCH) await store()
  }
  lines.end()
  await store()
  return totals
}
