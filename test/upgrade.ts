import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { programAt } from '../bench/checkout.ts'
import { RELEASED } from '../faults/upgrade/versions.ts'
import { freePort } from '../src/cli/dev/embedded-postgres.ts'
import { opened } from './support/cleanup.ts'
import { createDatabase } from './support/database.ts'
import { LONG } from './support/long.ts'
import { launch } from './support/process.ts'
import { until } from './support/until.ts'

// `npm test -- test/upgrade.ts`, with LONG_TESTS=1 on a million pets: version 1.0.0 as it was released, on a database that it has made,
// adds pets all the time, while this version migrates, serves beside it, goes away and comes back. Whatever was acknowledged must be found
// by its name. 1.0.0 cannot rename or delete a pet, so there is nothing of that kind to find.

const PROGRAM = new URL('../src/start.js', import.meta.url).pathname
const PETS = LONG ? 1_000_000 : 20_000
/** Of each version. */
const PER_SECOND = 20
const FOUND_WITHIN_MS = 2_000
/** Pets that share a word, by which one search finds all of them. */
const GROUP = 20
const MIN_ADDED = 20
const GIVEN_UP_AFTER_MS = 20_000
const [PEACE_MS, BESIDE_MS, ALONE_MS] = LONG ? [5_000, 30_000, 20_000] : [1_000, 5_000, 3_000]
const POLL_MS = 100
const SAMPLED = 200
/** Pets that the old version adds meanwhile make what is left more. */
const MOST_RISE = 100

interface Added {
  id: string
  name: string
  /** A word that up to `GROUP` of them share. */
  group: string
  /** When its 201 arrived, and when a search returned it. */
  at: number
  foundAt?: number
}

const { url, pool } = await createDatabase({ empty: true })
const releasedProgram = await programAt(opened, RELEASED)
const migrationsOf = (program: string) => readdirSync(join(dirname(program), '../migrations'))
assert.equal(migrationsOf(releasedProgram).filter((name) => name.endsWith('.sql')).length, 12, 'the released schema')

test(`${PETS} pets and all that 1.0.0 adds during an upgrade and a rollback are found by name`, {
  timeout: LONG ? 1_500_000 : 240_000,
}, async (t) => {
  await run(releasedProgram, 'migrate')
  const { key } = JSON.parse(await run(releasedProgram, 'keys', 'create', '--name', 'upgrade', '--json')) as {
    key: string
  }
  await pool.query(
    `insert into pets (name, category_id, status)
     select 'Before b' || lpad(n::text, 7, '0') || 'x', n % 1000, 'available' from generate_series(1, $1::int) as n`,
    [PETS],
  )
  await pool.query('vacuum (analyze) pets')

  const released = await serve(releasedProgram)
  const byReleased = new Adding(released.address, key, 'Old o')
  await adds(PEACE_MS, byReleased)
  const migrating = performance.now()
  await run(PROGRAM, 'migrate')
  t.diagnostic(`petstore migrate took ${seconds(performance.now() - migrating)} beside 1.0.0`)

  let present = await serve(PROGRAM)
  const readyAt = performance.now()
  let byPresent = new Adding(present.address, key, 'New n')
  const finding = new Finding(present.address, key, [byReleased, byPresent])
  const progress = await watchProgress(present, key)
  const builtAt = performance.now()
  await adds(BESIDE_MS, byReleased, byPresent)
  await byPresent.stop()
  const besides = await finding.stop()
  const newlyAdded = byPresent.added
  const addedMeanwhile = besides.filter(({ name, at }) => name.startsWith('Old ') && at < builtAt)
  const delay = assertFoundSoon(besides, builtAt, newlyAdded)
  assertProgress(progress)
  const lagOf = (some: Added[], from: number) =>
    seconds(Math.max(...some.map(({ at, foundAt = Number.NaN }) => foundAt - Math.max(at, from))))
  t.diagnostic(
    `words of ${PETS} pets made in ${seconds(builtAt - readyAt)}; ${besides.length} others found, ` +
      `the last ${lagOf(besides, builtAt)} later; of 1.0.0, while these words were made, ${lagOf(addedMeanwhile, readyAt)} later; ` +
      `of this version ${seconds(delay)} later, which is what searching takes`,
  )
  t.diagnostic(`left: ${thinned(progress.left)}; percent: ${thinned(progress.percent)}`)
  assert.equal(await missingWords(), 0, 'pets from before the upgrade have their words')
  await assertSampleFound(present.address, key)

  await present.stop()
  const before = byReleased.added.length
  await adds(ALONE_MS, byReleased)
  assert.equal((await get(`${released.address}/v1/pets?limit=1`, key)).status, 200, 'and lists them')

  present = await serve(PROGRAM)
  const backAt = performance.now()
  byPresent = new Adding(present.address, key, 'Newer m')
  const again = new Finding(present.address, key, [byReleased, byPresent], before)
  await adds(PEACE_MS, byReleased, byPresent)
  await Promise.all([byReleased.stop(), byPresent.stop()])
  const meanwhile = await again.stop()
  assertFoundSoon(meanwhile, backAt, byPresent.added)
  t.diagnostic(
    `${meanwhile.length} added before it was back or since, the last found ${lagOf(meanwhile, backAt)} later`,
  )
  await released.stop()

  assert.deepEqual([...byReleased.failed, ...byPresent.failed], [], 'no request has failed')
  await until(async () => (await leftOf(present)) === 0)
  // What a process knows of it may be a second old.
  await until(async () => (await find(present.address, key, 'Before b0000001x')).incomplete === null)
  for (const [word, added] of Object.entries({ old: byReleased.added, new: [...newlyAdded, ...byPresent.added] })) {
    const ids = await walk(present.address, key, word)
    assert.deepEqual(ids.toSorted(), added.map(({ id }) => id).toSorted(), 'each is found, once')
  }
  await present.stop()
})

/** For this long, and until each has added enough of them to say something. */
async function adds(ms: number, ...adding: Adding[]) {
  const before = adding.map(({ added }) => added.length)
  await sleep(ms)
  await until(() => adding.every(({ added }, i) => added.length >= before[i]! + MIN_ADDED))
}

/** Each group has a word that no other has, and that begins no other. */
class Adding {
  readonly added: Added[] = []
  readonly failed: string[] = []
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>

  constructor(address: string, key: string, prefix: string) {
    this.#done = this.#add(address, key, prefix)
    opened.defer(() => this.stop())
  }

  async stop() {
    this.#stopping.abort()
    await this.#done
  }

  async #add(address: string, key: string, prefix: string) {
    let slot = performance.now()
    for (let number = 1; !this.#stopping.signal.aborted; number++) {
      const digits = (value: number) => `${String(value).padStart(7, '0')}x`
      const group = `${prefix.at(-1)}${digits(Math.floor(number / GROUP))}`
      const name = `${prefix}${digits(number)} ${group}`
      try {
        const response = await fetch(`${address}/v1/pets`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name, categoryId: 1 }),
        })
        const text = await response.text()
        if (response.status === 201)
          this.added.push({ id: String((JSON.parse(text) as { id: number }).id), name, group, at: performance.now() })
        else this.failed.push(`${name}: ${response.status} ${text}`)
      } catch (error) {
        this.failed.push(`${name}: ${String(error)}`)
      }
      slot = Math.max(performance.now(), slot + 1_000 / PER_SECOND)
      await sleep(Math.max(0, slot - performance.now()))
    }
  }
}

/** Searches for each pet that was added until it is found. */
class Finding {
  readonly #all: Added[] = []
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>

  /** `first` is from which on. */
  constructor(address: string, key: string, sources: Adding[], first = 0) {
    this.#done = this.#find(address, key, sources, first)
    opened.defer(() => this.#stopping.abort())
  }

  /** Returns all of them, when each was found. */
  async stop() {
    this.#stopping.abort()
    await this.#done
    return this.#all
  }

  async #find(address: string, key: string, sources: Adding[], first: number) {
    const taken = new Map(sources.map((source) => [source, first]))
    let open: Added[] = []
    let end = Number.POSITIVE_INFINITY
    for (let isLast = false; !isLast || (open.length > 0 && performance.now() < end); await sleep(POLL_MS)) {
      isLast = this.#stopping.signal.aborted
      if (isLast) end = Math.min(end, performance.now() + GIVEN_UP_AFTER_MS)
      for (const source of sources) {
        const fresh = source.added.slice(taken.get(source))
        taken.set(source, source.added.length)
        open.push(...fresh)
        this.#all.push(...fresh)
      }
      for (const [group, pets] of Map.groupBy(open, (pet) => pet.group)) {
        const { ids } = await find(address, key, group)
        for (const pet of pets) if (ids.includes(pet.id)) pet.foundAt = performance.now()
      }
      open = open.filter(({ foundAt }) => foundAt === undefined)
    }
  }
}

/**
 * Each within two seconds of its 201, or of this moment, if that is later. Besides, as long as it takes to find those whose words are written
 * with them: that is the time of our own searches. Returns it.
 */
function assertFoundSoon(pets: Added[], from: number, atOnce: Added[]) {
  assert.ok(pets.length >= MIN_ADDED && atOnce.length >= MIN_ADDED)
  const delay = Math.max(...atOnce.map(({ at, foundAt = Number.NaN }) => foundAt - at))
  const late = pets.filter(({ at, foundAt = Number.NaN }) => !(foundAt - Math.max(at, from) <= FOUND_WITHIN_MS + delay))
  assert.deepEqual(
    late.map(({ name, at, foundAt = Number.NaN }) => `${name} after ${seconds(foundAt - Math.max(at, from))}`),
    [],
    `within ${FOUND_WITHIN_MS} ms and the ${seconds(delay)} of our own searches`,
  )
  return delay
}

interface Progress {
  /** By the metric. */
  left: number[]
  /** By the header of searches, 100 if it is absent. */
  percent: number[]
}

/** Until the words from before are made. */
async function watchProgress(service: Service, key: string): Promise<Progress> {
  const progress: Progress = { left: [], percent: [] }
  for (;;) {
    const { rowCount } = await pool.query('select from word_ranges')
    progress.left.push(await leftOf(service))
    const { incomplete } = await find(service.address, key, 'Before b0000001x')
    progress.percent.push(incomplete === null ? 100 : Number(incomplete))
    if (rowCount === 0) return progress
    await sleep(POLL_MS)
  }
}

function assertProgress({ left, percent }: Progress) {
  const [first = 0, last = Number.NaN] = [left[0], left.at(-1)]
  assert.ok(first > PETS / 4 && first <= 2 * PETS && last <= MOST_RISE, `${first} left at first, ${last} at last`)
  assert.ok(new Set(left).size > 3, `what is left goes down in steps: ${left.join()}`)
  for (const [i, value] of left.slice(1).entries())
    assert.ok(value <= left[i]! + MOST_RISE, `what is left rose from ${left[i]} to ${value}`)
  assert.ok(percent[0]! < 100, 'a search says that it is incomplete')
  for (const [i, value] of percent.slice(1).entries())
    assert.ok(value >= percent[i]! - 1, `the percentage fell from ${percent[i]} to ${value}`)
}

async function leftOf({ metrics }: Service) {
  const text = await (await fetch(metrics)).text()
  return Number(/^petstore_search_pets_left (\d+)/m.exec(text)?.[1] ?? Number.NaN)
}

/** How many of the pets from before lack the word that only they have. */
async function missingWords() {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pets
     where starts_with(name, 'Before ')
       and not exists (select from pet_words where word = split_part(lower(name), ' ', 2) and pet_id = pets.id)`,
  )
  return rows[0]!.count
}

async function assertSampleFound(address: string, key: string) {
  for (let i = 1; i <= SAMPLED; i++) {
    const name = `Before b${String(Math.floor((i * PETS) / SAMPLED)).padStart(7, '0')}x`
    assert.equal((await find(address, key, name)).ids.length, 1, name)
  }
}

async function find(address: string, key: string, name: string) {
  return await page(`${address}/v1/pets?limit=100&name=${encodeURIComponent(name)}`, key)
}

async function walk(address: string, key: string, name: string) {
  const ids: string[] = []
  for (let next: string | undefined = `${address}/v1/pets?limit=100&name=${name}`; next !== undefined; ) {
    const found = await page(next, key)
    ids.push(...found.ids)
    next = found.next
  }
  return ids
}

async function page(address: string, key: string) {
  const response = await get(address, key)
  assert.equal(response.status, 200)
  const pets = (await response.json()) as { id: number; name: string }[]
  const next = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1]
  return {
    ids: pets.map(({ id }) => String(id)),
    incomplete: response.headers.get('petstore-search-incomplete'),
    next: next && new URL(next, address).href,
  }
}

function get(address: string, key: string) {
  return fetch(address, { headers: { authorization: `Bearer ${key}` } })
}

/** One command, to its end. */
async function run(program: string, ...args: string[]) {
  const child = launch(args, { DATABASE_URL: url }, undefined, program)
  const [code] = (await once(child, 'close')) as [number | null]
  assert.equal(code, 0, child.output.stderr)
  return child.output.stdout
}

type Service = Awaited<ReturnType<typeof serve>>

async function serve(program: string) {
  const [port, adminPort] = [await freePort(), await freePort()]
  const env = { DATABASE_URL: url, PORT: String(port), ADMIN_PORT: String(adminPort), DRAIN_DELAY: '0' }
  const child = launch(['serve'], { ...env, LOG_LEVEL: 'warn' }, undefined, program)
  const exited = once(child, 'exit')
  opened.defer(() => void child.kill('SIGKILL'))
  const address = `http://127.0.0.1:${port}`
  await until(async () => {
    assert.equal(child.exitCode, null, child.output.stderr + child.output.stdout)
    return (await fetch(`${address}/readyz`).catch(() => undefined))?.ok
  })
  const stop = async () => {
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
  }
  return { address, metrics: `http://127.0.0.1:${adminPort}/metrics`, stop }
}

/** A dozen of many values. */
function thinned(values: number[]) {
  return values.filter((_, i) => i % Math.ceil(values.length / 12) === 0 || i === values.length - 1).join(', ')
}

function seconds(ms: number) {
  return `${(ms / 1_000).toFixed(1)} s`
}
