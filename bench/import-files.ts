import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BAD_EVERY = 1_000
const STATUSES = ['available', 'pending', 'sold', undefined]
const LINES_AT_ONCE = 10_000

interface ImportFiles {
  /** NDJSON, in which each thousandth line is bad. */
  lines: string
  /** The good ones, as COPY takes them. */
  rows: string
  /** How many these are. */
  good: number
}

/** The same pets twice: for `petstore import`, and for a bare COPY. */
export async function writeImportFiles(resources: AsyncDisposableStack, count: number): Promise<ImportFiles> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-bench-'))
  resources.defer(() => rm(directory, { recursive: true }))
  const files = { lines: join(directory, 'pets.ndjson'), rows: join(directory, 'pets.copy'), good: 0 }
  await using lines = await open(files.lines, 'w')
  await using rows = await open(files.rows, 'w')
  let [json, copy] = ['', '']
  for (let i = 1; i <= count; i++) {
    const [name, status] = [`pet number ${i}`, STATUSES[i % STATUSES.length]]
    if (i % BAD_EVERY === 0) json += '{"name":"has no category"}\n'
    else {
      json += `${JSON.stringify({ name, categoryId: i, status })}\n`
      copy += `${name}\t${i}\t${status ?? '\\N'}\n`
      files.good++
    }
    if (i % LINES_AT_ONCE !== 0 && i !== count) continue
    await lines.write(json)
    await rows.write(copy)
    json = copy = ''
  }
  return files
}
