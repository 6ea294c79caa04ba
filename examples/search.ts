// Keeps a full-text index of all pets, fed by the events of the service. `update` brings it up to date, `follow` keeps it so, and
// `find` searches it. The index is SQLite's FTS5, which comes with Node; any other search engine takes its place.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

interface PetRecord {
  id: bigint
  name: string
  categoryId: bigint
  status?: string
  version: bigint
}

interface PetEvent {
  type: string
  data: { pet?: PetRecord }
}

const baseUrl = process.env['PETSTORE_URL'] ?? 'http://127.0.0.1:8080/v1'
const key = process.env['PETSTORE_KEY'] ?? ''
const file = process.env['SEARCH_INDEX'] ?? '.petstore/search.db'
// `find` and `follow` wait for each other: by default SQLite fails at once if another process has the file.
const index = new DatabaseSync(file, { timeout: 5_000 })
index.exec(`
  create virtual table if not exists pets using fts5 (name, status, version unindexed);
  create table if not exists feed (next text)`)

const [command, text = ''] = process.argv.slice(2)
if (command === 'find') find(text)
else if (command === 'update') await update(0)
else if (command === 'follow') {
  for (;;) {
    await update(9)
    await sleep(1_000) // a service that is about to stop does not wait: it returns an empty page at once
  }
} else throw new Error('Usage: search.ts update | follow | find TEXT')

/** Applies all events since the last time. Reads all pets first if there was no last time, or if it was too long ago. */
async function update(wait: number) {
  const row = index.prepare('select next from feed').get() as { next: string } | undefined
  for (let next = row?.next ?? (await rebuild()); ; ) {
    const url = new URL(next)
    url.searchParams.set('wait', String(wait))
    const page = await get<PetEvent>(url.href)
    if (page.status === 410 || page.items.some(({ type }) => type === 'pets.imported')) {
      next = await rebuild()
      continue
    }
    // The events and the place of the next ones are stored together: a crash repeats a page or does not, but skips none.
    index.exec('begin')
    for (const { type, data } of page.items) if (data.pet) apply(data.pet, type === 'pet.deleted')
    keep(page.next)
    index.exec('commit')
    if (page.items.length === 0) return
    next = page.next
  }
}

/** First the end of the feed, then all pets: what changes meanwhile is in the events after that end. */
async function rebuild() {
  const { next: start } = await get(`${baseUrl}/events?from=now&limit=100`)
  index.exec('begin; delete from pets')
  for (let next = `${baseUrl}/pets?view=full&limit=100`; next; ) {
    const page = await get<PetRecord>(next)
    for (const pet of page.items) apply(pet, false)
    next = page.next
  }
  keep(start)
  index.exec('commit')
  return start
}

/** Of two copies of a pet the one with the higher version is newer. */
function apply({ id, name, status = '', version }: PetRecord, isDeleted: boolean) {
  const known = index.prepare('select version from pets where rowid = ?').get(id) as { version: number } | undefined
  if (known && BigInt(known.version) >= version) return
  index.prepare('delete from pets where rowid = ?').run(id)
  if (!isDeleted)
    index.prepare('insert into pets (rowid, name, status, version) values (?, ?, ?, ?)').run(id, name, status, version)
}

function keep(next: string) {
  index.exec('delete from feed')
  index.prepare('insert into feed values (?)').run(next)
}

function find(words: string) {
  const statement = index.prepare(
    'select rowid as id, name, status from pets where pets match ? order by rank limit 20',
  )
  for (const { id, name, status } of statement.all(words)) console.log(`${id} ${name} ${status}`.trim())
}

/** A page of a list, and the URL of the next one. Waits for a service that is not available. Integers are exact to the last digit. */
async function get<Item>(url: string): Promise<{ status: number; items: Item[]; next: string }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } }).catch(() => undefined)
  if (!response || response.status === 503) {
    console.error('The service is not available. Trying again …')
    await sleep(1_000)
    return get(url)
  }
  const body = await response.text()
  if (!response.ok && response.status !== 410) throw new Error(`${response.status} ${body}`)
  const items = response.ok ? (JSON.parse(body, exactly) as Item[]) : []
  const [, link = ''] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? []
  return { status: response.status, items, next: link && new URL(link, baseUrl).href }
}

function exactly(_key: string, value: unknown, context?: { source?: string }) {
  return typeof value === 'number' && context?.source ? BigInt(context.source) : value
}
