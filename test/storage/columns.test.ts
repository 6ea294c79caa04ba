import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aggregateOf, int64, int64sOf, int64Text, optionalWord, text } from '../../src/storage/postgres/columns.ts'
import { createDatabase } from '../support/database.ts'

const { pool } = await createDatabase({ empty: true })

interface Toy {
  id: bigint
  name: string
  size: string
  colour: 'red' | 'blue' | undefined
}

const TOYS = aggregateOf<Toy>({
  id: int64('id'),
  name: text('name'),
  size: int64Text('size'),
  colour: optionalWord('colour'),
})

async function read(values: string) {
  const { rows } = await pool.query<Record<keyof Toy, unknown>>(
    `select ${TOYS.selectList} from (values ${values}) as toys (id, name, size, colour)`,
  )
  return TOYS.decode(rows[0]!)
}

test('every value stays in its row, with NULL in the middle, first and last', async () => {
  assert.deepEqual(await read(`(1, 'a,b', 9223372036854775807, null), (2, '', -3, 'red'), (3, 'null', 0, null)`), {
    id: [1n, 2n, 3n],
    name: ['a,b', '', 'null'],
    size: ['9223372036854775807', '-3', '0'],
    colour: [undefined, 'red', undefined],
  })
})

test('no rows are no values', async () => {
  const { rows } = await pool.query<Record<keyof Toy, unknown>>(
    `select ${TOYS.selectList} from (values (1, 'a', 1, 'red')) as toys (id, name, size, colour) where false`,
  )
  assert.deepEqual(TOYS.decode(rows[0]!), { id: [], name: [], size: [], colour: [] })
})

test('a NULL in a column that has none is an error, and neither 0 nor the value of the next row', async () => {
  await assert.rejects(read(`(1, 'a', 1, 'red'), (2, 'b', null, 'red'), (3, 'c', 3, 'red')`), /integer is missing/)
  await assert.rejects(read(`(1, 'a', 1, 'red'), (2, null, 2, 'red')`), /text is missing/)
  await assert.rejects(read(`(1, 'a', null::bigint, 'red')`), /integer is missing/)
  await assert.rejects(read(`(null::bigint, 'a', 1, 'red')`), /integer is missing/)
})

test('columns of different lengths are an error', () => {
  const row = { id: '1,2', name: ['a', 'b'], size: '1,2', colour: 'red' }
  assert.throws(() => TOYS.decode(row), /the column colour has 1 values for 2 rows/)
  assert.throws(() => TOYS.decode({ ...row, colour: null }), /the column colour has 0 values for 2 rows/)
})

test('a list of integers has as many as were asked for', () => {
  assert.deepEqual(int64sOf('5,6', 2), [5n, 6n])
  assert.throws(() => int64sOf('5,6', 3), /2 integers instead of 3/)
  assert.throws(() => int64sOf('5,,6', 3), /integer is missing/)
  assert.throws(() => int64sOf(undefined, 0), /integer is missing/)
})
