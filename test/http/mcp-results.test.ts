import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_RESULT_BYTES } from '../../src/http/mcp/results.ts'
import { Turns } from '../../src/http/mcp/turns.ts'
import { startApp } from '../support/app.ts'
import { endOfFeed } from '../support/events.ts'
import { sender, toolCall, toolCaller } from '../support/mcp.ts'

const app = await startApp()
const tool = toolCaller(app.call)
const send = sender(app.call)

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u
/** Valid, and as long as text becomes when it is escaped. */
const TAGS = `${'\u{E0041}'.repeat(254)}a`
// What is around the items of a list.
const ENVELOPE_BYTES = 300

const ESCAPED = (text: string) =>
  Array.from(text, (one) => (INVISIBLE.test(one) ? `\\u{${one.codePointAt(0)!.toString(16)}}` : one)).join('')

interface Item {
  id: string
}

/** The ids of all items of a list, by the cursors of its pages; each page is as short as it has to be. */
async function walk(name: string, list: string, args: object) {
  const ids: string[] = []
  let pages = 0
  for (let cursor: string | undefined; ; pages++) {
    const { value, text, isError } = await tool(name, { ...args, limit: 100, ...(cursor && { cursor }) })
    assert.ok(!isError, text)
    assert.ok(Buffer.byteLength(text) <= MAX_RESULT_BYTES + ENVELOPE_BYTES, `${Buffer.byteLength(text)} bytes`)
    const items = value[list] as Item[]
    ids.push(...items.map(({ id }) => id))
    cursor = value['nextCursor'] as string | undefined
    if (items.length === 0 || cursor === undefined) return { ids, pages: pages + 1 }
  }
}

test('characters that people cannot see are escaped, in the text of a result and in its structured content', async () => {
  const all = Array.from({ length: 0x11_00_00 }, (_, code) => code)
    .filter((code) => (code < 0xd8_00 || code > 0xdf_ff) && INVISIBLE.test(String.fromCodePoint(code)))
    .map((code) => String.fromCodePoint(code))
  // Tags, zero width, directions, soft hyphen, variation selectors of both kinds, fillers, and those without a character yet.
  for (const one of ['\u{E0053}', '\u200B', '\u202E', '\u00AD', '\uFE0F', '\u{E0100}', '\u3164', '\u{E0FFF}'])
    assert.ok(all.includes(one))
  for (let i = 0; i < all.length; i += 200) {
    const name = `Rex 🐢 "é\\"${all.slice(i, i + 200).join('')}`
    // `value` is the text, which the structured content must equal.
    const { text, value } = await tool('add_pet', { name, categoryId: '1' })
    assert.equal(value['name'], ESCAPED(name))
    assert.doesNotMatch(text, INVISIBLE)
    const found = await tool('find_pets', { id: [value['id']] })
    assert.deepEqual(found.value, { pets: [{ ...value, version: '1' }] })
    assert.doesNotMatch(found.text, INVISIBLE)
  }
})

test('they are escaped in errors too', async () => {
  const { text, value, isError } = await tool('find_pets', { status: 'sold\u{E0053}\uFE0F' })
  assert.ok(isError)
  assert.match(String(value['message']), /sold\\u\{e0053\}\\u\{fe0f\}/)
  assert.doesNotMatch(text, INVISIBLE)
})

test('a page that is too long for a result has fewer items, and a cursor after the last of them', async () => {
  const statement = `
    with pets as (
      insert into pets (name, category_id, status, version)
      select $1, 1000000 + i, 'pending', 1 from generate_series(1, 100) as i returning id)
    insert into events (pet_id, version, type, name, category_id, changed, key_id)
    select id, 1, 'pet.updated', $1, 1, 'name', 'key_1a2b3c4d5e6f' from pets returning pet_id`
  const cursor = new URL(await endOfFeed(app), 'http://x').searchParams.get('cursor')
  const { rows } = await app.pool.query<{ pet_id: string }>(statement, [TAGS])
  const ids = rows.map((row) => row.pet_id).toSorted((a, b) => Number(a) - Number(b))
  await endOfFeed(app)

  for (const sort of ['oldest', 'newest']) {
    const found = await walk('find_pets', 'pets', { id: ids, sort })
    assert.deepEqual(found.ids, sort === 'oldest' ? ids : ids.toReversed())
    assert.ok(found.pages > 2, String(found.pages))
  }
  const listed = await walk('find_pets', 'pets', { status: 'pending' })
  assert.deepEqual(listed.ids, ids)

  const first = await tool('read_events', { cursor, limit: 100 })
  assert.ok((first.value['events'] as Item[]).length < 50)
  const whole = JSON.parse((await app.call(`/v1/events?limit=100&cursor=${cursor}`)).text) as Item[]
  const feed = await walk('read_events', 'events', {})
  assert.deepEqual(
    feed.ids.slice(-100),
    whole.map(({ id }) => id),
  )
  assert.equal(new Set(feed.ids).size, feed.ids.length)
})

test('so has a long history, and a long list of orders', async () => {
  const { value: pet } = await tool('add_pet', { name: 'Rex', categoryId: '1', status: 'available' })
  await app.pool.query(
    `insert into events (pet_id, version, type, name, category_id, changed, key_id)
     select $1, 100 + i, 'pet.updated', $2, 1, 'name', 'key_1a2b3c4d5e6f' from generate_series(1, 100) as i`,
    [pet['id'], TAGS],
  )
  const history = await walk('read_events', 'events', { petId: pet['id'] })
  assert.equal(new Set(history.ids).size, 101)
  assert.equal(history.ids.length, 101)

  const reference = TAGS
  const { value: other } = await tool('add_pet', { name: 'Momo', categoryId: '1', status: 'available' })
  for (let i = 0; i < 60; i++) {
    const { value, text } = await tool('order_pet', { petId: other['id'], reference })
    assert.ok(value['id'], text)
    await tool('close_order', { orderId: value['id'], action: 'cancel' })
  }
  const orders = await walk('find_orders', 'orders', { reference })
  assert.equal(new Set(orders.ids).size, 60)
  assert.equal(orders.ids.length, 60)
  assert.ok(orders.pages > 1)
})

test('nothing is lost of what comes while a call waits for what is new', { timeout: 30_000 }, async () => {
  await endOfFeed(app)
  const waiting = tool('read_events', { from: 'now', wait: 9, limit: 100 })
  await endOfFeed(app) // by then it waits
  await app.pool.query(
    `insert into events (pet_id, version, type, name, category_id, changed, key_id)
     select 5000000 + i, 1, 'pet.updated', $1, 1, 'name', 'key_1a2b3c4d5e6f' from generate_series(1, 100) as i`,
    [TAGS],
  )
  const { value } = await waiting
  const first = value['events'] as (Item & { subject: string })[]
  assert.ok(first.length > 0)
  const subjects = new Set(first.map(({ subject }) => subject))
  let { nextCursor } = value
  while (subjects.size < 100) {
    const next = await tool('read_events', { cursor: nextCursor, wait: 9, limit: 100 })
    const events = next.value['events'] as typeof first
    assert.ok(events.length > 0, `${subjects.size} of 100 events`)
    for (const { subject } of events) subjects.add(subject)
    nextCursor = next.value['nextCursor']
  }
})

test('text that looks like a field of a result stays text', async () => {
  const name = '"id":7,"petId":8,\\"id\\":9'
  const { value } = await tool('add_pet', { name, categoryId: '-1' })
  const { value: found } = await tool('find_pets', { id: [value['id']] })
  assert.deepEqual(found, { pets: [{ id: value['id'], name, categoryId: '-1', version: '1' }] })
})

test('calls for lists wait for each other, but one that waits for an event takes no place', {
  timeout: 30_000,
}, async () => {
  await endOfFeed(app)
  const waiting = Array.from({ length: 20 }, () => send(toolCall('read_events', { from: 'now', wait: 9 })))
  const { rpc } = await send(toolCall('find_pets', { limit: 1 }))
  assert.ok(!rpc.result?.isError)
  await tool('add_pet', { name: 'Rex', categoryId: '1' })
  for (const response of await Promise.all(waiting)) assert.ok(!response.rpc.result?.isError, response.text)
})

test('a call that cannot wait, since its key has as many waits as it may have, says when to call again', {
  timeout: 30_000,
}, async () => {
  await endOfFeed(app)
  const { value: start } = await tool('read_events', { from: 'now' })
  const calls = Array.from({ length: 33 }, () => tool('read_events', { cursor: start['nextCursor'], wait: 9 }))
  const { value } = await Promise.race(calls)
  assert.deepEqual(value, { events: [], nextCursor: start['nextCursor'], retryAfter: 1 })
  await tool('add_pet', { name: 'Rex', categoryId: '1' })
  const waited = (await Promise.all(calls)).filter((call) => !('retryAfter' in call.value))
  assert.equal(waited.length, 32)
  for (const call of waited) assert.equal((call.value['events'] as Item[]).length, 1, call.text)
})

test('at most eight lists are read at once, in the order of the calls', async () => {
  const turns = new Turns()
  const entered: number[] = []
  const leaves: (() => void)[] = []
  for (let i = 0; i < 10; i++)
    void (async () => {
      leaves.push(await turns.enter(`key ${i % 5}`))
      entered.push(i)
    })()
  await nextTurn()
  assert.equal(entered.length, 8)
  // To leave twice gives one place back.
  leaves[3]?.()
  leaves[3]?.()
  await nextTurn()
  assert.deepEqual(entered, [0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('calls of one key have half of the eight places, and key chains get those that become free in turn', async () => {
  const turns = new Turns()
  const entered: string[] = []
  const leaves: (() => void)[] = []
  const call = (chainId: string) =>
    void (async () => {
      leaves.push(await turns.enter(chainId))
      entered.push(chainId)
    })()
  for (let i = 0; i < 100; i++) call('a')
  await nextTurn()
  assert.deepEqual(entered.splice(0), ['a', 'a', 'a', 'a'])
  for (const chainId of ['b', 'b', 'c', 'c', 'b', 'b', 'd']) call(chainId)
  await nextTurn()
  assert.deepEqual(entered.splice(0), ['b', 'b', 'c', 'c'])
  const leave = async () => {
    leaves.shift()?.()
    await nextTurn()
  }
  for (let i = 0; i < 6; i++) await leave()
  assert.deepEqual(entered, ['a', 'b', 'd', 'a', 'b', 'a'])
  while (leaves.length > 0) await leave()
  assert.equal(entered.length, 99)
})

test('each result is written in a turn of the event loop of its own', async () => {
  const turns = new Turns()
  let turn = 0
  const counting = new AbortController()
  void (async () => {
    for (; !counting.signal.aborted; turn++) await nextTurn()
  })()
  const seen = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await turns.own()
      return turn
    }),
  )
  counting.abort()
  assert.equal(new Set(seen).size, 5, seen.join())
})
