import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { wordsOf } from '../../src/lib/words.ts'
import { createDatabase } from '../support/database.ts'
import { LONG } from '../support/long.ts'
import { compareWords } from '../support/pet-words.ts'
import { petstore, serve } from '../support/process.ts'
import { oneOf, randomOf } from '../support/random-names.ts'
import { until } from '../support/until.ts'

// Two processes serve; one after the other is killed and started again, while writers add, rename and delete pets and readers walk through
// searches, each request at either process. A walk must meet every pet that existed and matched for the whole of it exactly once, and show
// no pet that does not match, or that was gone before. With LONG_TESTS=1 ten minutes of it, and ten times as many pets.
const SEED = Number(process.env['SEED'] ?? Date.now() % 1e9)
const [MIN_KILLS, MIN_WALKS] = LONG ? [100, 500] : [4, 20]
const PETS = LONG ? 2_000 : 200
const [WRITERS, READERS] = [4, 3]
/** Changes between two kills, so that each process that was killed was at work. */
const CHANGES_PER_KILL = 40
const WORDS = ['Momo', 'Mo', 'Moe', 'Max', 'Maxi', 'Zoë', 'Zora', 'ももちゃん', 'Rex', '🐢']
const TERMS = ['m', 'mo', 'mom', 'ma', 'max', 'z', 'zoe', 'も', 'ちゃ', 'r', 'mo pet', 'pet z', '🐢', 'pet']

interface Known {
  id: string
  name: string
  /** Of its name: to split it again for each walk took longer than the walks. */
  words: string[]
  /** When it was acknowledged that it has this name; its request began at `begunAt`. */
  since: number
  /** When a request began that may have changed that; later, when it was acknowledged to be gone. */
  until: number
  goneAt: number
}

interface Shown {
  id: string
  name: string
}

const random = randomOf(SEED)
const { url, pool } = await createDatabase()
const created = await petstore(['keys', 'create', '--name', 'search', '--scope', 'all', '--json'], {
  DATABASE_URL: url,
})
const { key } = JSON.parse(created.stdout) as { key: string }
const start = () => serve(url, { DRAIN_DELAY: '0', LOG_LEVEL: 'info' })
const processes = await Promise.all([start(), start()])
const alive = new Set(processes)

/** Every name that a pet had for a time; one whose change has no known outcome is in doubt, and left alone from then on. */
const states: Known[] = []
const present = new Map<string, Known>()
const doubtful = new Set<string>()
const over = new AbortController()
after(() => over.abort())
let numbers = 0
let [changes, kills, walks, met] = [0, 0, 0, 0]

test(`seed ${SEED}: searches are exact while processes are killed and pets change`, {
  timeout: LONG ? 1_500_000 : 300_000,
}, async (t) => {
  await Promise.all(Array.from({ length: PETS }, add))
  const stopping = new AbortController()
  const endless = async (act: () => Promise<void>) => {
    while (!stopping.signal.aborted) await act()
  }
  const working = [
    ...Array.from({ length: WRITERS }, () => endless(change)),
    ...Array.from({ length: READERS }, () => endless(walkAndCheck)),
  ]
  const failed = Promise.all(working)
  try {
    await Promise.race([failed, killAll()])
  } finally {
    stopping.abort()
  }
  await failed
  t.diagnostic(
    `${kills} kills, ${changes} changes, ${walks} walks that met ${met} pets, ${doubtful.size} pets in doubt`,
  )
  await assertFinal()
})

async function killAll() {
  for (let isEnough = false; !isEnough; isEnough = kills >= MIN_KILLS && walks >= MIN_WALKS) {
    const before = changes
    await until(() => changes >= before + CHANGES_PER_KILL)
    const place = kills % processes.length
    const doomed = processes[place]!
    alive.delete(doomed)
    const exited = once(doomed.child, 'exit')
    doomed.child.kill('SIGKILL')
    await exited
    kills++
    if (kills % 10 === 0) console.log(`${kills} kills, ${changes} changes, ${walks} walks`)
    const restarted = await start()
    processes[place] = restarted
    alive.add(restarted)
  }
}

/** Of a request that never got a response it is not known whether it was done; to be killed is no reason to wait for. */
async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  assert.ok(!over.signal.aborted, 'the test is over')
  const { address } = oneOf([...alive], random)
  try {
    const response = await fetch(`${address}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const next = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1]
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown), next }
  } catch (error) {
    // Of the connection, not of the request.
    assert.ok(error instanceof TypeError && error.cause, String(error))
    return undefined
  }
}

function newName() {
  return `Pet ${oneOf(WORDS, random)} ${oneOf(WORDS, random)} ${numbers++}`
}

async function change() {
  const free = [...present.values()]
  const known = free.length === 0 ? undefined : oneOf(free, random)
  if (!known || present.size < PETS) return await add()
  // One writer at a time has a pet.
  present.delete(known.id)
  known.until = performance.now()
  if (random() < 0.25) await remove(known)
  else await rename(known)
}

async function add() {
  const headers = { 'idempotency-key': `add-${numbers}` }
  const name = newName()
  for (;;) {
    const response = await send('POST', '/pets', { name, categoryId: 1 }, headers)
    // With a key it is safe to send it again, until one of them has done it.
    if (response?.status !== 201) {
      assert.ok(!response || [409, 503].includes(response.status), JSON.stringify(response))
      await until(() => alive.size > 0)
      continue
    }
    return note({ id: String((response.body as { id: number }).id), name })
  }
}

async function rename(known: Known) {
  const name = newName()
  const response = await send('PATCH', `/pets/${known.id}`, { name })
  if (response?.status === 200) note({ id: known.id, name })
  else doubt(known, response)
}

async function remove(known: Known) {
  const response = await send('DELETE', `/pets/${known.id}`)
  if (response?.status !== 204) return doubt(known, response)
  known.goneAt = performance.now()
  changes++
}

function note(pet: Shown) {
  const [since, never] = [performance.now(), Number.POSITIVE_INFINITY]
  const known = { ...pet, words: wordsOf(pet.name), since, until: never, goneAt: never }
  states.push(known)
  present.set(pet.id, known)
  changes++
}

function doubt({ id }: Known, response: { status: number } | undefined) {
  assert.ok(!response || response.status === 503, JSON.stringify(response))
  doubtful.add(id)
}

/** All pages, each at either process; one whose process is killed is requested again. */
async function walk(term: string, limit: number): Promise<Shown[]> {
  const shown: Shown[] = []
  let path: string | undefined = `/pets?name=${encodeURIComponent(term)}&limit=${limit}`
  while (path !== undefined) {
    const page = await send('GET', path)
    if (page?.status !== 200) {
      assert.ok(!page || page.status === 503, JSON.stringify(page))
      await until(() => alive.size > 0)
      continue
    }
    shown.push(...(page.body as { id: number; name: string }[]).map(({ id, name }) => ({ id: String(id), name })))
    path = page.next?.replace(/^.*\/v1/, '')
  }
  return shown
}

async function walkAndCheck() {
  const term = oneOf(TERMS, random)
  const from = performance.now()
  const shown = await walk(term, 1 + Math.floor(40 * random()))
  const to = performance.now()
  const times = new Map<string, number>()
  for (const { id, name } of shown) {
    assert.ok(isMatch(wordsOf(name), term), `${name} was found by ${term}`)
    times.set(id, (times.get(id) ?? 0) + 1)
  }
  for (const { id, name, words, since, until: last, goneAt } of states) {
    const count = times.get(id) ?? 0
    if (goneAt < from) assert.equal(count, 0, `${name} was gone, and was found by ${term}`)
    if (since > from || last < to || !isMatch(words, term)) continue
    assert.equal(count, 1, `${name} existed for the whole walk for ${term}, and was met ${count} times`)
    met++
  }
  walks++
}

function isMatch(words: string[], text: string) {
  return text.split(' ').every((term) => words.some((word) => word.startsWith(term)))
}

/** What is stored is what was acknowledged, and a search finds exactly that. */
async function assertFinal() {
  const { rows } = await pool.query<Shown>('select id::text, name from pets order by pets.id')
  const stored = new Map(rows.map(({ id, name }) => [id, name]))
  for (const { id, name } of present.values()) assert.equal(stored.get(id), name)
  for (const id of stored.keys()) assert.ok(present.has(id) || doubtful.has(id), `${id} was deleted`)
  const found = await walk('pet', 37)
  assert.deepEqual(
    found.toSorted((a, b) => Number(a.id) - Number(b.id)),
    rows,
  )
  assert.deepEqual((await compareWords(pool)).missing, [])
  await until(async () => (await compareWords(pool)).stale.length === 0)
  assert.ok(doubtful.size < changes / 10, `${doubtful.size} of ${changes} changes are in doubt`)
}
