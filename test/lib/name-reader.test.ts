import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NameReader } from '../../src/lib/name-reader.ts'
import { wordsOf } from '../../src/lib/words.ts'
import type { Transaction } from '../../src/storage/postgres/statement.ts'
import { removeStaleWords } from '../../src/storage/search/stale-names.ts'
import { wordUnworded } from '../../src/storage/search/unworded-pets.ts'
import { wordPart } from '../../src/storage/search/word-ranges.ts'

const LONG = 'ﷺ'.repeat(56)

/** How many turns of the event loop the work takes. */
async function turnsOf(work: () => Promise<unknown>) {
  let turns = 0
  let next: NodeJS.Immediate
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}

/** A transaction whose first statement returns these rows, at once. */
function returning(rows: object[]) {
  let first: object[] | undefined = rows
  const query = async () => {
    const returned = first ?? []
    first = undefined
    return returned
  }
  return { query } as unknown as Transaction
}

test('the words of many names are made in many turns of the event loop, those of short ones in one', async () => {
  const names = Array.from({ length: 200 }, () => LONG)
  const reader = new NameReader()
  const turns = await turnsOf(async () => assert.deepEqual(await reader.wordsOfEach(names), names.map(wordsOf)))
  assert.ok(turns >= 12, `${turns} turns`)
  assert.ok(reader.length >= 200 * 300 && reader.length <= 200 * 320)
  assert.ok((await turnsOf(() => new NameReader().wordsOfEach(Array.from({ length: 100 }, () => 'Rex')))) <= 1)
})

test('no part of the work on words makes those of all its names in one turn', async () => {
  const pets = Array.from({ length: 200 }, (_, i) => ({ id: BigInt(i), row: `(0,${i})`, name: LONG, present: LONG }))
  const part = { range: 1n, id: pets.map(({ id }) => id).join(), name: pets.map(({ name }) => name) }
  for (const [work, rows] of [
    [wordUnworded, pets],
    [removeStaleWords, pets],
    [wordPart, [part]],
  ] as const) {
    const turns = await turnsOf(() => work(returning([...rows])))
    assert.ok(turns >= 12, `${work.name}: ${turns} turns`)
  }
})
