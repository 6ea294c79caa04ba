import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { storeMetrics } from '../../src/domain/store-metrics.ts'
import { hashToken, newSessionToken } from '../../src/lib/ids/session-token.ts'
import { TIMES } from '../../src/lib/times.ts'
import { DeprecatedCalls } from '../../src/storage/deprecations/calls.ts'
import { prunePages } from '../../src/storage/events/pruner.ts'
import { prune } from '../../src/storage/idempotency/pruner.ts'
import { findAllById, idsOf } from '../../src/storage/keys/keys.ts'
import { openOrders } from '../../src/storage/orders/orders.ts'
import * as imports from '../../src/storage/pets/imports.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { openWords } from '../../src/storage/search/words.ts'
import { pruneSessions } from '../../src/storage/sessions/pruner.ts'
import { end, endAll, findAll, insert, listOpen, touch } from '../../src/storage/sessions/statements.ts'
import { claimLeases, leave } from '../../src/storage/webhooks/claims.ts'
import { renewLeases } from '../../src/storage/webhooks/leases.ts'
import { patchJson, postJson, startApp } from '../support/app.ts'
import { categoryCalls } from '../support/categories.ts'
import { opened } from '../support/cleanup.ts'
import { createDatabase } from '../support/database.ts'
import { endOfFeed } from '../support/events.ts'
import { toolCaller } from '../support/mcp.ts'
import { ORDERS, type Order, orderCalls, orderOf } from '../support/orders.ts'
import { petstore } from '../support/process.ts'
import { hasParts, printed, recordStatements, type Written, writtenStatements } from '../support/statements.ts'
import { MASTER_SECRET, webhookCalls, webhookOf } from '../support/webhooks.ts'

// Every statement of the service as PostgreSQL gets it, to be read and reviewed as a whole. What the operations, jobs and commands below
// send is recorded where the driver gets it. Not here: the files of migrations, and what is sent before a server is known to be sound.

const FILE = new URL('statements.sql', import.meta.url)
const WRITE = 'WRITE_STATEMENTS=1 npm test -- test/storage/statements.test.ts'

const NOT_SENT = [
  // Only sent when the connection of the feed has been silent for ten seconds.
  `select 1 from pg_stat_activity where pid = $1 and state <> 'idle'`,
  // By `petstore dev`, to a PostgreSQL of its own.
  'create database …',
]

const TITLE = `-- Written by: ${WRITE}\n`

const recorded = recordStatements()
const app = await startApp({ webhookMasterSecret: MASTER_SECRET })
const { call, url } = app
const db = opened.use(new Database(url, () => {}))
const holder = randomUUID()
const soon = () => performance.now() + 5_000

async function changePets() {
  for (const key of ['a', 'a', 'b'])
    await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1 }, { 'idempotency-key': key }))
  for (let i = 0; i < 8; i++) await call('/v1/pets', postJson({ name: 'Rex', categoryId: 1, status: 'available' }))
  await call('/v1/pets/1', patchJson({ name: 'Max' }))
  await call('/v1/pets/2', { method: 'DELETE' })
}

async function readPets() {
  await call('/v1/pets/1')
  for (const view of ['basic', 'full']) {
    await call(`/v1/pets?id=1,2&view=${view}`)
    for (const filter of ['', '&status=available']) await call(`/v1/pets?name=re&view=${view}${filter}`)
    for (const sort of ['oldest', 'newest'])
      for (const filter of ['', '&status=available', '&status=pending', '&status=sold', '&categoryId=1'])
        await call(`/v1/pets?limit=1&sort=${sort}&view=${view}${filter}`)
  }
}

async function nameCategories() {
  const { put, remove, list } = categoryCalls(call)
  await put(1n, 'Dog')
  await list()
  await list('?counts=true')
  for (const query of ['', 'status=available', 'status=pending', 'status=sold', 'categoryId=1'])
    await call(`/v1/pets/count?${query}`)
  await call('/v1/pets/counts?categoryId=1')
  const added = await toolCaller(call)('add_pet', { name: 'Rex', category: 'Dog' })
  assert.ok(!added.isError, added.text)
  await remove(1n)
}

async function orderPets(): Promise<Order[]> {
  const { place, get, complete, cancel } = orderCalls(call)
  const orders: Order[] = []
  for (const petId of [4n, 5n, 6n]) orders.push(orderOf(await place(petId)))
  for (let i = 0; i < 2; i++) await place(7n, {}, { 'idempotency-key': 'order' })
  const [first, second] = orders
  await complete(first!.id)
  await cancel(second!.id)
  await get(first!.id)
  for (const status of ['', '&status=placed', '&status=completed'])
    for (const filter of ['', '&petId=4', '&reference=basket']) await call(`${ORDERS}?limit=1${filter}${status}`)
  for (const query of ['?status=placed&sort=expiring', '?status=completed&sort=closed'])
    await call(`${ORDERS}${query}&limit=1`)
  for (const query of ['', '?status=placed', '?status=completed']) await call(`${ORDERS}/count${query}`)
  await call(`${ORDERS}/counts?status=completed&boundaries=2026-11-16T00:00:00Z,2026-11-17T00:00:00Z`)
  await openOrders(db).expire(0)
  return orders
}

async function readEvents() {
  await endOfFeed(app)
  for (const query of ['sort=newest', 'from=oldest', 'from=2026-11-16T09:30:00Z', 'petId=1', 'petId=1&sort=newest'])
    await call(`/v1/events?limit=1&${query}`)
}

async function makeWords() {
  const { advance } = openWords(db, db.background)
  await app.pool.query(`insert into pets (name, category_id) values ('Rex', 1); delete from words_versions`)
  await call('/v1/pets/3', patchJson({ name: 'Max' }))
  await run('search', 'rebuild')
  while ((await advance()).hasMore);
}

async function useWebhooks() {
  const { create, get, list, patch, remove, rotate, ping, retry, attempts } = webhookCalls(call)
  for (let i = 0; i < 2; i++) await create(undefined, { 'idempotency-key': 'webhook' })
  const { id } = webhookOf(await create())
  await list()
  await get(id)
  for (const cursor of ['oldest', '2026-11-16T09:30:00Z']) await patch(id, { cursor })
  await rotate(id)
  await ping(id)
  await retry(id)
  await attempts(id)
  const { claimed } = await claimLeases(db, holder, 0, soon())
  await renewLeases(
    db,
    holder,
    claimed.map((webhook) => ({ ...webhook, pinged: undefined, retried: undefined, end: undefined, made: [] })),
    soon(),
  )
  await leave(db, holder, soon())
  for (const change of ['pause', 'resume']) await run('webhooks', change, id)
  await remove(id)
}

async function useSessions(keyId: string) {
  const hash = hashToken(newSessionToken())
  await insert(db, hash, keyId, undefined)
  await insert(db, hashToken(newSessionToken()), keyId, hash)
  await findAll(db, [hash])
  await touch(db, [hash])
  await end(db, hash)
  await listOpen(db)
  await endAll(db, keyId)
  await endAll(db, undefined)
}

async function useKeys() {
  await run('keys', 'create', '--name', 'shop')
  const { rows } = await app.pool.query<{ id: string }>(`select id from api_keys where name = 'shop'`)
  const id = rows[0]!.id
  await run('keys', 'list')
  await run('keys', 'expire', id, '--in', '7d')
  await run('keys', 'limit', id, '100/s')
  await run('keys', 'limit', id, '--open-orders', '10')
  await run('keys', 'rotate', id)
  await run('keys', 'show', id)
  await run('keys', 'revoke', id)
  await findAllById(db, [id], 'live')
  await idsOf(db, [])
  return id
}

async function readKeys() {
  await call('/v1/keys')
  await call('/v1/keys/names')
  await call('/v1/status')
}

async function run(...args: string[]) {
  const { code, stderr } = await petstore(args, { DATABASE_URL: url })
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
}

test(`every statement is in test/storage/statements.sql; \`${WRITE}\` writes it`, async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-statements-'))
  await changePets()
  await readPets()
  await nameCategories()
  const [, , open] = await orderPets()
  await readEvents()
  const keyId = await useKeys()
  await readKeys()
  await useWebhooks()
  await useSessions(keyId)
  await run('orders', 'show', open!.id)
  const own = (await call('/v1/keys/self')).body as { id: string }
  await run('orders', 'cancel', '--key', own.id)
  await run('erase', 'order', open!.id)
  await run('erase', 'pet', '1')
  const file = join(directory.path, 'pets.ndjson')
  writeFileSync(file, '{"name":"Momo","categoryId":1}\n')
  await run('import', file)
  await run('import', '--status')
  writeFileSync(file, '{"id":1,"name":"Dog"}\n')
  await run('import', '--categories', file)
  await run('export', '--categories', join(directory.path, 'categories.ndjson'))
  const [imported] = await imports.list(db)
  await imports.advance(db, imported!, false, randomUUID())
  await imports.remove(db, imported!.head, randomUUID())
  for (const format of ['ndjson', 'csv']) await run('export', join(directory.path, `export.${format}`))
  await petstore(['doctor'], { DATABASE_URL: url })
  const deprecated = new DeprecatedCalls(db)
  deprecated.count('getPet', keyId)
  await deprecated.store()
  await deprecated.find(keyId)
  for (const metric of storeMetrics(db, TIMES.readiness)) await metric.read()
  await prune(db)
  await prunePages(db, 3_600_000)
  await pruneSessions(db)
  await makeWords()
  const { url: SANDBOX_DATABASE_URL } = await createDatabase()
  for (const what of ['create', 'reset'])
    assert.equal((await petstore(['sandbox', what], { DATABASE_URL: url, SANDBOX_DATABASE_URL })).code, 0)
  const older = await createDatabase()
  await older.pool.query('drop table store')
  assert.equal((await petstore(['sandbox', 'create'], { DATABASE_URL: url, SANDBOX_DATABASE_URL: older.url })).code, 1)
  // The first looks at the schema.
  for (let i = 0; i < 2; i++) await call('/readyz')
  await assert.rejects(db.transaction(() => Promise.reject(new Error('rolled back'))))

  const statements = printed(recorded())
  if (process.env['WRITE_STATEMENTS']) writeFileSync(FILE, [TITLE, ...statements].join('\n'))
  const differing = new Set(statements).symmetricDifference(new Set(readStatements()))
  assert.equal(differing.size, 0, `These differ; ${WRITE} writes them:\n\n${[...differing].join('\n')}`)
})

test('the file lacks no statement that is written in the source', () => {
  const statements = readStatements()
  const written = writtenStatements()
  assert.ok(written.length > 80, `${written.length} statements found`)
  const isThere = ({ name, text }: Written) =>
    statements.some((each) => {
      const [title = '', ...lines] = each.split('\n')
      return (!name || hasParts(title, name)) && hasParts(lines.join('\n'), text)
    }) || NOT_SENT.includes(text.join('…'))
  assert.deepEqual(
    written.filter((each) => !isThere(each)).map(({ file, name, text }) => [file, name?.join('…'), text.join('…')]),
    [],
  )
})

function readStatements() {
  const [, ...statements] = readFileSync(FILE, 'utf8').split(/\n(?=-- )/)
  return statements
}
