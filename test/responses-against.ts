import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { programAt } from '../bench/checkout.ts'
import { createDatabase, startPostgres } from '../bench/postgres.ts'
import { PROGRAM, petstore, startService } from '../bench/service.ts'
import { type Recorded, recordedRequests } from './support/recorded-requests.ts'
import { until } from './support/until.ts'

// Sends the same requests to this checkout and to another version, each with a database of its own, and compares the responses byte for
// byte, but for what differs by nature: times, random ids and page tokens, secrets. Not part of `npm test`, since it needs the other version:
//   npx node test/responses-against.ts REF

const LATE_MS = 15_000
/** Headers that differ from one response to the next. */
const OWN_HEADERS = ['date', 'request-id', 'keep-alive']

interface Side {
  url: string
  keys: Record<NonNullable<Recorded['key']>, string>
  saved: Map<string, string>
  names: Map<string, string>
  database: pg.Client
}

const [ref] = process.argv.slice(2)
assert.ok(ref, 'Name the version to compare with: npx node test/responses-against.ts REF')
await using resources = new AsyncDisposableStack()
const programs = [await programAt(resources, ref), PROGRAM]
const postgres = await startPostgres(resources)
const masterSecret = randomBytes(32).toString('base64url')
const sides = await Promise.all(programs.map((program, i) => startSide(`side_${i}`, program)))

let count = 0
const differing: string[] = []
for (const recorded of recordedRequests()) {
  const [older, newer] = await compared(recorded)
  if (recorded.sql) continue
  count++
  if (older.shape === newer.shape) continue
  differing.push(recorded.path)
  console.log(`--- ${recorded.method} ${recorded.path}\nwas ${older.shape}\nis  ${newer.shape}`)
}
console.log(`${count} responses, ${differing.length} differ`)
process.exitCode = differing.length > 0 ? 1 : 0

async function startSide(name: string, program: string): Promise<Side> {
  const url = await createDatabase(postgres.url, name)
  await petstore(url, ['migrate'], program)
  const create = async (...scopes: string[]) => {
    const options = ['--name', 'compared', '--json', ...scopes.flatMap((scope) => ['--scope', scope])]
    return JSON.parse(await petstore(url, ['keys', 'create', ...options], program)) as { id: string; key: string }
  }
  const [all, reader, revoked] = [await create('all'), await create('pets:read'), await create('all')]
  await petstore(url, ['keys', 'revoke', revoked.id], program)
  const settings = { WEBHOOK_MASTER_SECRET: masterSecret }
  const service = resources.use(await startService(url, 1, settings, program))
  const database = new pg.Client(url)
  await database.connect()
  resources.defer(() => database.end())
  const keys = { all: all.key, reader: reader.key, revoked: revoked.key, none: '', unknown: 'petk_live_unknown' }
  return { url: service.url, keys, saved: new Map(), names: new Map(), database }
}

/** The responses of both versions. */
async function compared(recorded: Recorded) {
  const known = sides.map(({ names }) => new Map(names))
  const both = async () => {
    // What only one of them has returned yet must not change how things are named.
    for (const [i, side] of sides.entries()) side.names = new Map(known[i])
    const [older, newer] = await Promise.all(sides.map((side) => respond(side, recorded)))
    assert.ok(older && newer)
    return [older, newer] as const
  }
  let last = await both()
  if (recorded.isLate) {
    const end = performance.now() + LATE_MS
    last = await until(async () => {
      const pair = await both()
      return pair[0].shape === pair[1].shape || performance.now() > end ? pair : undefined
    })
  }
  for (const [i, side] of sides.entries()) save(side, recorded, last[i]?.text ?? '')
  return last
}

async function respond(side: Side, { method, path, headers, body, key = 'all', sql }: Recorded) {
  if (sql) {
    await side.database.query(sql)
    return { text: '', shape: '' }
  }
  const own = (text: string) => text.replaceAll(/\{([\w-]+)\}/g, (all, name: string) => side.saved.get(name) ?? all)
  const token = side.keys[key]
  const response = await fetch(side.url + own(path), {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: own(body) }),
  })
  const { 'content-length': length, ...all } = Object.fromEntries(response.headers)
  for (const name of OWN_HEADERS) delete all[name]
  const content = await response.text()
  assert.ok(method === 'HEAD' || !length || Number(length) === Buffer.byteLength(content))
  const text = `${response.status} ${JSON.stringify(all)}\n${content}`
  const links = [response.headers.get('link'), response.headers.get('location')].filter((value) => value !== null)
  return { text: [...links, content].join('\n'), shape: shapeOf(side, text) }
}

function save(side: Side, { save: wanted }: Recorded, text: string) {
  if (!wanted) return
  const [name, pattern] = wanted
  const found = text.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? [])[0]
  if (found !== undefined) side.saved.set(name, found)
}

/** The response with a name in place of each random id: of the same thing always the same. */
function shapeOf({ names }: Side, text: string) {
  const named = (kind: string) => (id: string) => {
    const name = names.get(id) ?? `${kind}${names.size}`
    names.set(id, name)
    return name
  }
  return text
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')
    .replaceAll(/\\"requestId\\":\\"[^"]*\\"/g, '')
    .replaceAll(/\breq_[\w-]+/g, 'req_')
    .replaceAll(/\bord_[\w-]{20}/g, named('ord'))
    .replaceAll(/\bevt_[\w-]{28}/g, named('evt'))
    .replaceAll(/\bkey_\w+/g, named('key'))
    .replaceAll(/\bwh_\w{20}/g, named('wh'))
    .replaceAll(/\bwhsec_[\w+/=]+/g, 'whsec_')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'time')
    .replaceAll(/(?<=cursor=|nextCursor\W+)[\w-]{11,}/gi, cursorOf)
}

/** Without the random mark of a page, and the random id of an order. */
function cursorOf(cursor: string) {
  const bytes = Buffer.from(cursor, 'base64url')
  const [walk = 0, ...ids] = [
    bytes[0],
    ...[1, 9].flatMap((at) => (bytes.length >= at + 8 ? bytes.readBigInt64BE(at) : [])),
  ]
  if (bytes.toString('base64url') !== cursor) return cursor
  const [first, second] = ids
  if (walk === 3) return `order ${second}`
  return walk === 4 || walk === 6 ? `${walk} ${first}` : `${walk} ${ids.join(' ')}`
}
