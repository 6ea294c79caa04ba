import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { until } from '../../../test/support/until.ts'
import { createPetstore, type PetRecord, PetstoreError, parse } from '../src/index.ts'
import { balanced } from './support/balanced.ts'
import { collect } from './support/collect.ts'
import { type Answer, json, KEY, refusal, startFaulty, unavailable } from './support/faulty.ts'
import { petstore, startProcess, startService } from './support/service.ts'

const KILLS = 4
/** Between two of them. */
const CHANGES = 125

/** How many pets there are before the import whose requests are counted. */
const LONG = process.env['LONG_TESTS'] === '1'
const STOCK = LONG ? 1_000_000 : 1_000

const { baseUrl, directory, key } = await startService()
const { pets, events, mirror } = createPetstore({ baseUrl, key })

test('E13: thousands of random changes on two processes that are killed, and an import: the copy is exact', {
  timeout: 120_000,
}, async () => {
  const processes = await Promise.all([startProcess(directory), startProcess(directory)])
  const store = createPetstore({
    baseUrl,
    key,
    fetch: balanced(() => processes.map((process) => process.baseUrl)),
    retries: 10,
  })

  const copy = new Map<bigint, PetRecord>()
  const stop = new AbortController()
  let [changes, walks] = [0, 0]
  const mirroring = (async () => {
    for await (const page of store.mirror(copy, { signal: stop.signal })) {
      changes += page.events.length
      if (page.events.some(({ type }) => type === 'pets.imported')) walks++
    }
  })()
  mirroring.catch(() => {})

  const ids: bigint[] = []
  const over = new AbortController()
  const work = async () => {
    while (!over.signal.aborted) await change(store, ids).catch(expected)
  }
  const breaking = async () => {
    try {
      for (let i = 0; i < KILLS; i++) {
        await until(() => changes >= (i + 1) * CHANGES)
        const killed = processes[i % 2]
        await killed?.end('SIGKILL')
        processes[i % 2] = await startProcess(directory, killed?.port)
      }
      await until(() => changes > (KILLS + 1) * CHANGES)
    } finally {
      over.abort()
    }
  }
  const importing = async () => {
    const lines = Array.from({ length: 250 }, (_, i) => `{"name":"imported ${i}","categoryId":${i}}\n`)
    await writeFile(join(directory, 'pets.ndjson'), lines.join(''))
    await petstore(directory, 'import', 'pets.ndjson')
  }
  await Promise.all([...Array.from({ length: 16 }, work), breaking(), importing()])

  const records = await collect(pets.list({ view: 'full' }))
  await until(() => isSame(copy, records))
  assert.deepEqual(inOrder(copy), records)
  assert.ok(changes > KILLS * CHANGES && walks === 1, `${changes} changes, ${walks} imports`)
  const exported = (await petstore(directory, 'export')).trim().split('\n')
  assert.deepEqual(
    inOrder(copy).map(({ id, name, categoryId, status }) => ({ id, name, categoryId, ...(status && { status }) })),
    exported.map((line) => parse(line)),
  )
  stop.abort(new Error('enough'))
  await assert.rejects(mirroring, /enough/)
  for (const { end } of processes) await end('SIGTERM')
})

test('a copy is continued from its cursor, without reading all pets again', async () => {
  const { id } = await pets.create({ name: 'Rex', categoryId: 1n })
  const copy = new Map<bigint, PetRecord>()
  const { value: first } = await mirror(copy).next()
  assert.equal(copy.get(id)?.version, 1n)

  await pets.update(id, { name: 'Max' })
  const { id: added } = await pets.create({ name: 'Momo', categoryId: 2n })
  const gone = await pets.create({ name: 'Gone', categoryId: 2n })
  await pets.delete(gone.id)
  const paths: string[] = []
  const other = createPetstore({ baseUrl, key, onResponse: ({ path }) => paths.push(path) })
  for await (const page of other.mirror(copy, { cursor: first?.next }))
    if (page.events.some(({ type, data }) => type === 'pet.deleted' && data.pet?.id === gone.id)) break
  assert.deepEqual([copy.get(id)?.name, copy.get(added)?.name, copy.has(gone.id)], ['Max', 'Momo', false])
  assert.deepEqual(new Set(paths), new Set(['/events']))
  assert.deepEqual(inOrder(copy), await collect(pets.list({ view: 'full' })))
})

test('after an import only its pets are read: three requests at most, however many pets there are', {
  timeout: LONG ? 600_000 : 60_000,
}, async () => {
  const importFile = async (name: string, count: number) => {
    const file = createWriteStream(join(directory, name))
    for (let i = 0; i < count; i++)
      if (!file.write(`{"name":"${name} ${i}","categoryId":1}\n`)) await once(file, 'drain')
    await once(file.end(), 'close')
    await petstore(directory, 'import', name)
  }
  await importFile('stock.ndjson', STOCK)
  // The event may come a moment after the import.
  await until(async () =>
    (await collect(events.list({ types: ['pets.imported'] }))).some(({ data }) => data.added === BigInt(STOCK)),
  )
  const { next } = await events.list({ from: 'now' }).page()
  await importFile('ten.ndjson', 10)
  const requests: string[] = []
  const other = createPetstore({ baseUrl, key, onResponse: ({ path }) => requests.push(path) })
  const copy = new Map<bigint, PetRecord>()
  for await (const page of other.mirror(copy, { cursor: next }))
    if (page.events.some(({ type }) => type === 'pets.imported')) break
  assert.deepEqual(
    inOrder(copy).map(({ name }) => name),
    Array.from({ length: 10 }, (_, i) => `ten.ndjson ${i}`),
  )
  assert.ok(requests.length <= 3, requests.join())
})

test('a copy whose cursor has expired is made again', async () => {
  const { next } = await events.list({ limit: 1 }).page()
  const pruner = await startProcess(directory, '0', { EVENTS_RETENTION: '1s' })
  const expired = async () => {
    await pets.create({ name: 'Rex', categoryId: 1n })
    return events
      .list()
      .page(next)
      .then(
        () => false,
        (error: unknown) => error instanceof PetstoreError && error.code === 'cursor_expired',
      )
  }
  await until(expired)
  await pruner.end('SIGTERM')
  const lost: PetRecord = { id: 9_999n, name: 'Lost', categoryId: 1n, version: 1n }
  const ahead: PetRecord = { id: 1n, name: 'Ahead', categoryId: 1n, version: 1_000n }
  const copy = new Map([lost, ahead].map((pet) => [pet.id, pet]))
  await mirror(copy, { cursor: next }).next()
  assert.deepEqual(inOrder(copy), await collect(pets.list({ view: 'full' })))
})

test('of the walk and the events the higher version counts, and a delete is final', async () => {
  const store = await startFake({
    pets: [[record(1, 5), record(2, 2), record(4, 3)]],
    events: [
      [],
      [
        event(record(1, 4)),
        event(record(1, 6)),
        event(record(2, 2)),
        event(record(3, 1)),
        event(record(3, 2), 'pet.deleted'),
        event(record(4, 4), 'pet.deleted'),
        event(record(5, 1), 'pet.cloned'),
        { id: 'evt_x', type: 'store.moved', data: {} },
      ],
    ],
  })
  const copy = new Recorded()
  await take(2, store.mirror(copy))
  assert.deepEqual(inOrder(copy).map(versioned), ['1@6', '2@2', '5@1'])
  assert.deepEqual(copy.calls, [
    'clear',
    'set 1@5',
    'set 2@2',
    'set 4@3',
    'set 1@6',
    'set 3@1',
    'delete 3',
    'delete 4',
    'set 5@1',
  ])
})

test('of an import the ids that it names are read, a hundred at a time, which adds and takes nothing back', async () => {
  const ranges = (...of: [number, number][]) => ({
    id: 'evt_x',
    type: 'pets.imported',
    data: { added: 2, idRanges: of.map(([first, last]) => ({ first, last })) },
  })
  const store = await startFake({
    pets: [[record(1, 1), record(2, 1)], [record(4, 1), record(1, 1)], [record(500, 3)], []],
    events: [
      [],
      [event(record(1, 2)), ranges([4, 5], [401, 497]), event(record(2, 2), 'pet.deleted'), ranges([498, 501])],
    ],
  })
  const copy = new Recorded()
  await take(2, store.mirror(copy))
  assert.deepEqual(inOrder(copy).map(versioned), ['1@2', '4@1', '500@3'])
  const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)
  assert.deepEqual(store.asked(), [null, [4, 5, ...from(401, 97), 498].join(), '499,500,501'])
})

test('an import that names no ids leads to a walk, which adds and takes nothing back', async () => {
  const store = await startFake({
    pets: [
      [record(1, 1), record(2, 1), record(3, 1)],
      [record(1, 1), record(4, 1), record(5, 3)],
    ],
    events: [
      [],
      [event(record(1, 2)), imported, event(record(2, 2), 'pet.deleted'), imported],
      [event(record(5, 2)), event(record(3, 2), 'pet.deleted')],
    ],
  })
  const copy = new Recorded()
  await take(2, store.mirror(copy))
  assert.deepEqual(inOrder(copy).map(versioned), ['1@2', '3@1', '4@1', '5@3'])
  assert.equal(store.walks(), 2)
  assert.equal(copy.calls.filter((call) => call === 'clear').length, 1)
})

test('the walk waits for a service that cannot be reached, as the feed does', async () => {
  const store = await startFake({
    pets: [[record(1, 1)]],
    events: [[]],
    troubles: [unavailable('0'), refusal(429, 'rate_limited'), unavailable('0')],
  })
  const copy = new Map<bigint, PetRecord>()
  await take(1, store.mirror(copy))
  assert.deepEqual(inOrder(copy).map(versioned), ['1@1'])
})

test('each call of the copy is awaited, and what it throws ends the mirror', async () => {
  const store = await startFake({ pets: [[record(1, 1), record(2, 1)]], events: [[]] })
  const slow = new Recorded()
  const copy = {
    get: (id: bigint) => nextTurn(slow.get(id)),
    set: async (id: bigint, pet: PetRecord) => {
      await nextTurn()
      if (slow.size > 0) throw new RangeError('the disk is full')
      slow.set(id, pet)
    },
    delete: (id: bigint) => slow.delete(id),
    clear: () => slow.clear(),
  }
  await assert.rejects(take(1, store.mirror(copy)), RangeError)
  assert.deepEqual(slow.calls, ['clear', 'set 1@1'])
})

/** One random change. Many are rejected: the pet is held, sold or gone. */
async function change({ pets: some, orders }: ReturnType<typeof createPetstore>, ids: bigint[]) {
  const kind = Math.random()
  const petId = ids[Math.floor(Math.random() * ids.length)]
  if (kind < 0.35 || petId === undefined)
    ids.push((await some.create({ name: 'Rex', categoryId: 1n, status: 'available' })).id)
  else if (kind < 0.6) await some.update(petId, { name: `Rex ${Math.random()}` })
  else if (kind < 0.7) await some.update(petId, { status: 'available' })
  else if (kind < 0.8) await some.delete(petId)
  else {
    const { id } = await orders.place({ petId })
    if (kind < 0.9) await orders[kind < 0.85 ? 'complete' : 'cancel'](id)
  }
}

/** Refusals, and changes whose outcome is unknown because the process was killed. */
function expected(error: unknown) {
  const isExpected =
    error instanceof PetstoreError && (error.status === undefined || [404, 409, 428, 503].includes(error.status))
  if (!isExpected) throw error
}

function isSame(copy: Map<bigint, PetRecord>, records: PetRecord[]) {
  return copy.size === records.length && records.every(({ id, version }) => copy.get(id)?.version === version)
}

function inOrder(copy: Map<bigint, PetRecord>) {
  return [...copy.values()].toSorted((a, b) => Number(a.id - b.id))
}

function versioned({ id, version }: PetRecord) {
  return `${id}@${version}`
}

async function take(count: number, pages: AsyncIterable<unknown>) {
  let left = count
  for await (const _ of pages) if (--left === 0) return
}

/** A copy that remembers what was done to it. */
class Recorded extends Map<bigint, PetRecord> {
  readonly calls: string[] = []
  override set(id: bigint, pet: PetRecord) {
    this.calls.push(`set ${versioned(pet)}`)
    return super.set(id, pet)
  }
  override delete(id: bigint) {
    this.calls.push(`delete ${id}`)
    return super.delete(id)
  }
  override clear() {
    this.calls.push('clear')
    super.clear()
  }
}

function record(id: number, version: number) {
  return { id, name: 'Rex', categoryId: 1, version }
}

function event(pet: object, type = 'pet.updated') {
  return { id: 'evt_x', type, data: { pet } }
}

const imported = { id: 'evt_x', type: 'pets.imported', data: { added: 2 } }

/** A service with these pages of events, and these pets in one walk after the other. Its first requests fail. */
async function startFake({
  pets: lists,
  events: feed,
  troubles = [],
}: {
  pets: object[][]
  events: object[][]
  troubles?: Answer[]
}) {
  const left = [...troubles]
  let walks = 0
  const asked: (string | null)[] = []
  const answer: Answer = (response, received) => {
    const { pathname, searchParams } = new URL(received.url, 'http://fake')
    const trouble = pathname === '/v1/pets' ? left.shift() : undefined
    if (trouble) return trouble(response, received)
    if (pathname === '/v1/pets') asked.push(searchParams.get('id'))
    if (pathname === '/v1/pets')
      return json(200, JSON.stringify(lists[Math.min(walks++, lists.length - 1)]))(response, received)
    const at = Number(searchParams.get('cursor') ?? 0)
    const link = `</v1/events?cursor=${Math.min(at + 1, feed.length)}>; rel="next"`
    return json(200, JSON.stringify(feed[at] ?? []), { link })(response, received)
  }
  const { baseUrl: fake } = await startFaulty(answer)
  return {
    mirror: createPetstore({ baseUrl: fake, key: KEY, retries: 0 }).mirror,
    walks: () => walks,
    asked: () => asked,
  }
}
