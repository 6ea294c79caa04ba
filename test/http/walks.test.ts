import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPetstore, type PetStatus } from '../../packages/client/src/index.ts'
import { startApp } from '../support/app.ts'
import { LONG } from '../support/long.ts'

const PETS = LONG ? 10_000 : 2_000
const CATEGORIES = 3
const { address, call, key, pool } = await startApp()
// As a caller walks, but a failure of ours is not to be made good by trying again.
const { pets } = createPetstore({ baseUrl: `${address}/v1`, key, retries: 0 })

// Of every four pets two are left alone; the others change their status, or vanish, while walks go on.
await pool.query(
  `insert into pets (name, category_id, status)
   select case when i % 4 < 2 then 'steady' else 'restless' end, i % $2,
          (array['available', 'pending', 'sold', null])[1 + (i / 4) % 4]
   from generate_series(1, $1) as i`,
  [PETS, CATEGORIES],
)
const { rows } = await pool.query<{ id: string; category: string; status: string | null }>(
  `select id, category_id as category, status from pets where name = 'steady'`,
)
const steady = rows.map(({ id, category, status }) => ({ id: BigInt(id), category: BigInt(category), status }))

const walk = fc.record({
  status: fc.constantFrom<(PetStatus | undefined)[]>(undefined, 'available', 'pending', 'sold'),
  // A limit for each page, used in turn; small ones are rare, since they make a long walk.
  limits: fc.array(
    fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 20, max: 100 }) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }) },
    ),
    {
      minLength: 1,
      maxLength: 8,
    },
  ),
})

test('a walk meets every pet that matches all the while exactly once, none twice, and ends', async () => {
  const whole = fc.asyncProperty(walk, async ({ status, limits }) => {
    const met = await walkAll(status, limits)
    assert.equal(new Set(met).size, met.length, 'no pet twice')
    const seen = new Set(met)
    const missed = steady.filter((pet) => (status === undefined || pet.status === status) && !seen.has(pet.id))
    assert.deepEqual(missed, [])
  })
  await assertAmidChanges(whole, 25)
})

const filteredWalk = fc.record({
  status: fc.constantFrom(undefined, 'available', 'pending', 'sold'),
  category: fc.constantFrom(undefined, 0n, 1n, 2n),
  sort: fc.constantFrom('oldest', 'newest'),
  view: fc.constantFrom('basic', 'full'),
  limit: fc.integer({ min: 15, max: 100 }),
})

test('F1 so does a walk through a category, in either direction and with either view', async () => {
  const whole = fc.asyncProperty(filteredWalk, async ({ status, category, sort, view, limit }) => {
    const filter = `${status ? `&status=${status}` : ''}${category === undefined ? '' : `&categoryId=${category}`}`
    const met = await walkLinks(`/v1/pets?limit=${limit}&sort=${sort}&view=${view}${filter}`)
    for (const pet of met) {
      if (status) assert.equal(pet.status, status)
      if (category !== undefined) assert.equal(pet.categoryId, category)
    }
    const ids = met.map(({ id }) => id)
    const inOrder = ids.toSorted((a, b) => (a < b === (sort === 'oldest') ? -1 : 1))
    assert.deepEqual(ids, inOrder)
    assert.equal(new Set(ids).size, ids.length, 'no pet twice')
    const seen = new Set(ids)
    const matching = steady.filter(
      (pet) => (!status || pet.status === status) && (category === undefined || pet.category === category),
    )
    assert.deepEqual(
      matching.filter(({ id }) => !seen.has(id)),
      [],
    )
  })
  await assertAmidChanges(whole, 15)
})

async function walkLinks(first: string) {
  const met: { id: bigint; categoryId: bigint; status?: string }[] = []
  for (let next: string | undefined = first; next; ) {
    const { status, body, headers, text } = await call(next)
    assert.equal(status, 200, text)
    met.push(...(body as typeof met))
    next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1]
  }
  return met
}

async function walkAll(status: PetStatus | undefined, limits: number[]) {
  const met: bigint[] = []
  let cursor: string | undefined
  for (let page = 0; page < 3 * PETS; page++) {
    const limit = limits[page % limits.length]!
    const { pets: found, next } = await pets.list({ status, limit }).page(cursor)
    assert.ok(found.length <= limit)
    for (const pet of found) if (status) assert.equal(pet.status, status)
    met.push(...found.map(({ id }) => id))
    if (next === undefined) return met
    cursor = next
  }
  throw new Error('the walk did not end')
}

/** Walks while things change: as often as asked for, and on until more than a hundred changes have been made meanwhile. */
async function assertAmidChanges<Ts>(walks: fc.IAsyncProperty<Ts>, numRuns: number) {
  const restless = changeThings()
  try {
    do await fc.assert(walks, { numRuns })
    while (restless.changes <= 100)
  } finally {
    await restless.stop()
  }
}

/** New pets, changed statuses and vanished pets, one statement after the other, until told to stop. */
function changeThings() {
  const stopping = new AbortController()
  let changes = 0
  const changing = (async () => {
    while (!stopping.signal.aborted) {
      await pool.query(
        `update pets set status = (array['available', 'pending', 'sold', null])[1 + floor(random() * 4)::int],
           category_id = floor(random() * $2)::bigint, version = version + 1
         where name = 'restless' and id in (select 1 + floor(random() * $1)::bigint from generate_series(1, 50))`,
        [PETS, CATEGORIES],
      )
      await pool.query(`delete from pets where name = 'restless' and id = 1 + floor(random() * $1)::bigint`, [PETS])
      await pool.query(`insert into pets (name, category_id, status) values ('new', 1, 'available')`)
      changes += 3
    }
  })()
  return {
    get changes() {
      return changes
    },
    stop: () => {
      stopping.abort()
      return changing
    },
  }
}
