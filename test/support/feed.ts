import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { EmbeddedPostgres } from '../../src/cli/dev/embedded-postgres.ts'
import type { FeedPosition } from '../../src/domain/types/event.ts'
import { eventPagePrinter } from '../../src/http/print/event.ts'
import { pause } from '../../src/jobs/runner.ts'
import { TIMES, type Times } from '../../src/lib/times.ts'
import { Feed } from '../../src/storage/events/feed.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { parseExact } from './app.ts'
import type { FeedEvent } from './events.ts'

const print = eventPagePrinter('test')

/** A feed as a process has it. It sequences only when the test says so. */
export async function openFeed(
  url: string,
  resources: AsyncDisposableStack,
  times: Pick<Times, 'feed' | 'listener'> = TIMES,
) {
  const db = resources.use(new Database(url, () => {}))
  const feed = resources.use(new Feed(db, url, { times }))
  await feed.start()
  return feed
}

/** Sequences as the job of a process does, until disposed. */
export function sequencing(feed: Feed, intervalMs = 50): AsyncDisposable {
  const closing = new AbortController()
  const running = (async () => {
    do await feed.sequence()
    while (await pause(intervalMs, closing.signal))
  })()
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await running
    },
  }
}

/** A PostgreSQL with the schema, for a test that needs settings of its own or a second cluster. */
export async function startCluster(resources: AsyncDisposableStack, settings: string[] = []) {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-cluster-'))
  resources.defer(() => rm(directory, { recursive: true, force: true }))
  const server = resources.use(await EmbeddedPostgres.start(directory, settings))
  await migrate(server.url)
  return { directory, server, url: server.url, pool: openPool(server.url, resources) }
}

export function openPool(url: string, resources: AsyncDisposableStack) {
  const pool = new pg.Pool({ connectionString: url, max: 6 })
  pool.on('error', () => {})
  resources.defer(() => pool.end())
  return pool
}

export async function connected(url: string, resources: AsyncDisposableStack) {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  resources.defer(() => client.end())
  return client
}

/** Changes a pet with its event, in the transaction of the caller, as the statements of the service do. */
export async function changePet(client: pg.ClientBase | pg.Pool, id: bigint) {
  const { rows } = await client.query<{ version: string }>(
    `with changed as (update pets set version = version + 1 where id = $1 returning *)
     insert into events (pet_id, version, type, name, category_id, status)
     select id, version, 'pet.updated', name, category_id, status from changed returning version`,
    [id],
  )
  return `${id} ${rows[0]!.version}`
}

export interface Walk {
  /** The events as `pet version`, in the order of the feed. */
  keys: string[]
  events: FeedEvent[]
  next: FeedPosition
}

/** Reads from a position to the end of the feed; undefined if the position is not in it. */
export async function walk(feed: Feed, after?: FeedPosition, limit = 100): Promise<Walk | undefined> {
  const events: FeedEvent[] = []
  for (let position = after; ; ) {
    const page = await feed.list({ after: position, limit })
    if (!page) return undefined
    events.push(...(parseExact(print(page)) as FeedEvent[]))
    position = page.next
    if (page.isLast) return { keys: events.map(keyOf), events, next: position }
  }
}

export function keyOf({ data }: FeedEvent) {
  return `${data.pet?.id ?? 0} ${data.pet?.version ?? data.added}`
}

/** Events of one pet that do not come in the order of their versions. */
export function disordered(keys: string[]) {
  const last = new Map<string, number>()
  return keys.filter((key) => {
    const [pet = '', version] = key.split(' ')
    const isWrong = Number(version) <= (last.get(pet) ?? 0)
    last.set(pet, Number(version))
    return isWrong
  })
}

/** All events that are stored, as `pet version`. */
export async function storedKeys(pool: pg.Pool) {
  const { rows } = await pool.query<{ key: string }>(`select pet_id || ' ' || version as key from events`)
  return rows.map(({ key }) => key)
}
