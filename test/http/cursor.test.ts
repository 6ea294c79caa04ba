import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeCursor, decodePlace, encodeCursor, encodePlace } from '../../src/http/wire/cursor.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

test('a cursor gives back the ids it was made from', () => {
  fc.assert(
    fc.property(fc.array(int64, { minLength: 1, maxLength: 2 }), (ids) =>
      assert.deepEqual(decodeCursor('oldest', encodeCursor('oldest', ...ids), ids.length), ids),
    ),
  )
})

test('a cursor of another walk, or with another number of ids, is not one', () => {
  assert.equal(decodeCursor('newest', encodeCursor('oldest', 42n), 1), undefined)
  assert.equal(decodeCursor('oldest', encodeCursor('newest', 42n), 1), undefined)
  assert.equal(decodeCursor('orders', encodeCursor('orders', 42n), 2), undefined)
})

const word = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\0'))

test('a cursor of a search gives back its place, for the same terms only', () => {
  fc.assert(
    fc.property(word, word, int64, fc.constantFrom<1 | 'filter'>(1, 'filter'), (term, rest, id, walk) => {
      const terms = walk === 1 ? ['a', term] : [term]
      const place = { walk, word: `${term}${rest}`, id }
      const cursor = encodePlace(place, terms)
      assert.deepEqual(decodePlace(cursor, terms), { ...place, isOther: false })
      for (const others of [[...terms, 'b'], ['b'], terms.toReversed().concat('a')])
        assert.equal(decodePlace(cursor, others)?.isOther, true, others.join())
    }),
  )
})

test('no other text is a cursor of a search, and no list has one', () => {
  const made = encodePlace({ walk: 0, word: 'mo', id: 42n }, ['mo'])
  const nul = encodePlace({ walk: 0, word: 'mo\0', id: 42n }, ['mo'])
  for (const text of [
    '',
    'x',
    nul,
    encodeCursor('oldest', 42n),
    encodeCursor('feed', 42n, 42n),
    `${made}=`,
    ` ${made}`,
  ])
    assert.equal(decodePlace(text, ['mo']), undefined, text)
  for (const ids of [1, 2]) assert.equal(decodeCursor('oldest', made, ids), undefined)
})

test('no other text is a cursor', () => {
  const made = encodeCursor('oldest', 42n)
  const decode = (text: string) => decodeCursor('oldest', text, 1)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const ids = decode(text)
      fc.pre(ids === undefined || encodeCursor('oldest', ...ids) !== text)
      assert.equal(ids, undefined)
    }),
  )
  for (const text of [
    '',
    made.slice(1),
    `${made}A`,
    `${made}=`,
    ` ${made}`,
    `${made}\n`,
    made.replace('A', 'C'),
    '1',
    'null',
  ])
    assert.equal(decode(text), undefined, text)
})
