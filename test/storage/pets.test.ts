import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import type { NewPet, PetStatus } from '../../src/domain/types/pet.ts'
import { type Caller, ClientDisconnected } from '../../src/lib/batch.ts'
import { type InsertedPet, openPets } from '../../src/storage/pets/pets.ts'
import { Database } from '../../src/storage/postgres/database.ts'
import { ValueRejected } from '../../src/storage/postgres/failures.ts'
import { createDatabase } from '../support/database.ts'

const { url, pool } = await createDatabase()
const STATUSES = ['available', 'pending', 'sold', undefined] as const
const TOO_LONG = 'x'.repeat(256) // what the service refuses, and the table too

const status = fc.constantFrom(...STATUSES)
const newPet = fc.record(
  {
    name: fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((name) => !name.includes('\0')),
      fc.constantFrom('NULL', '{', '"', '\\', ',', "'", '\\N', '{"a":1}', 'a,b', '[1]'),
    ),
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status,
  },
  { noNullPrototype: true },
)
const anyCall = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), pet: newPet }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'refused' as const }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('find' as const), which: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'missing' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('list' as const), which: fc.nat(40), limit: fc.nat(9), status }),
  },
)
/** Calls as they come: some in the same turn of the event loop, some later; some callers go away, at once or later. */
const calls = fc.array(fc.record({ call: anyCall, pauses: fc.nat(2), goesAfter: fc.option(fc.nat(3)) }), {
  maxLength: 60,
})

test('in mixed batches everyone gets its own pet, its own error or its own nothing, whoever goes away', async () => {
  await using db = new Database(url, () => {})
  const pets = openPets(db)
  const known = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      pets.insert({ name: `known ${i}`, categoryId: BigInt(i), ...(STATUSES[i % 4] && { status: STATUSES[i % 4] }) }),
    ),
  )

  await fc.assert(
    fc.asyncProperty(calls, async (sequence) => {
      const checks: Promise<void>[] = []
      for (const { call, pauses, goesAfter } of sequence) {
        const caller = { begun: performance.now(), socket: { destroyed: false } }
        const checked = check(call, caller)
        checked.catch(() => {}) // told below, together with the others
        checks.push(checked)
        if (goesAfter !== null) void afterTurns(goesAfter).then(() => (caller.socket.destroyed = true))
        await afterTurns(pauses)
      }
      await Promise.all(checks)
    }),
    { numRuns: 60 },
  )

  /** Whoever has gone may have been served all the same; what it gets must be its own then, too. */
  async function check(asked: Call, caller: Caller) {
    try {
      await judge(asked, caller)
    } catch (error) {
      if (!(error instanceof ClientDisconnected && caller.socket.destroyed)) throw error
    }
  }

  async function judge(asked: Call, caller: Caller) {
    if (asked.kind === 'insert') {
      const { id, ...added } = await pets.insert(asked.pet, caller)
      assert.deepEqual(added, asked.pet)
      assert.deepEqual(await stored(id), { ...asked.pet, status: asked.pet.status ?? null })
    } else if (asked.kind === 'refused') {
      await assert.rejects(pets.insert({ name: TOO_LONG, categoryId: 1n }, caller), (error) => {
        if (error instanceof ClientDisconnected) throw error
        return error instanceof ValueRejected
      })
    } else if (asked.kind === 'find') {
      const found = await pets.find(known[asked.which]!.id, caller)
      assert.deepEqual(found, { ...rowOf(known[asked.which]!), version: '1' })
    } else if (asked.kind === 'missing') {
      assert.equal(await pets.find(2n ** 62n, caller), undefined)
    } else {
      const [first, limit] = [known[asked.which]!, asked.limit + 1]
      const page = await pets.list(
        { status: asked.status, sort: 'oldest', view: 'basic', after: first.id - 1n, limit },
        caller,
      )
      const matching = known.filter(({ id, status: its }) => id >= first.id && (!asked.status || its === asked.status))
      const expected = matching.slice(0, limit)
      assert.deepEqual(page, {
        pets: expected.map(rowOf),
        next: expected.at(-1)!.id,
      })
    }
  }
})

type Call =
  | { kind: 'insert'; pet: NewPet }
  | { kind: 'refused' }
  | { kind: 'missing' }
  | { kind: 'find'; which: number }
  | { kind: 'list'; which: number; limit: number; status: PetStatus | undefined }

async function afterTurns(turns: number) {
  for (let i = 0; i < turns; i++) await nextTurn()
}

/** As it is read: its integers are digits. */
function rowOf({ id, name, categoryId, status: its }: InsertedPet) {
  return { id: String(id), name, categoryId: String(categoryId), status: its }
}

/** As PostgreSQL itself prints it, digit for digit. */
async function stored(id: bigint) {
  const { rows } = await pool.query<{ name: string; categoryId: string; status: string | null }>(
    'select name, category_id::text as "categoryId", status from pets where id = $1',
    [id],
  )
  const [row] = rows
  return row && { ...row, categoryId: BigInt(row.categoryId) }
}

test('the words of a new pet are made before its batch, in the turn of its request', async () => {
  let values: unknown[] = []
  const writeOnce = async (statement: { values?: unknown[] }) => {
    values = statement.values ?? []
    return [{ ids: '1' }]
  }
  const pet = { name: 'Big Moe', categoryId: 1n }
  const inserted = openPets({ writeOnce } as unknown as Database).insert(pet)
  pet.name = 'Max'
  await inserted
  assert.deepEqual(values.at(-1), ['big\nmoe'])
})
