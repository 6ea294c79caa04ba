import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isExact, narrow } from '../../packages/console/src/ui/choices.ts'

const CHOICES = [
  { label: 'All categories' },
  { label: 'Dogs', id: '1' },
  { label: 'Guinea pigs and hamsters', id: '17' },
  { label: 'Épagneuls', id: '-3' },
  { label: '小鳥', id: '9223372036854775807' },
]
const labels = (typed: string) => narrow(CHOICES, typed).map(({ label }) => label)

test('typing narrows the choices to those with words that begin so, whatever their case and accents', () => {
  assert.deepEqual(labels('ham GUI'), ['Guinea pigs and hamsters'])
  assert.deepEqual(labels('epa'), ['Épagneuls'])
  assert.deepEqual(labels('小'), ['小鳥'])
  assert.deepEqual(labels('amsters'), [])
  assert.equal(labels(' ').length, CHOICES.length)
  assert.deepEqual(labels('…'), [])
})

test('the beginning of an id finds its choice, negative or with 19 digits', () => {
  assert.deepEqual(labels('1'), ['Dogs', 'Guinea pigs and hamsters'])
  assert.deepEqual(labels('-3'), ['Épagneuls'])
  assert.deepEqual(labels('922337203685'), ['小鳥'])
})

test('what is just that comes before what only begins so', () => {
  const found = (typed: string, ...choices: { label: string; id: string }[]) =>
    narrow(choices, typed).map(({ id }) => id)
  assert.deepEqual(found('cats', { label: 'Big cats', id: '3' }, { label: 'Cats', id: '4' }), ['4', '3'])
  assert.deepEqual(found('1', { label: 'Alpacas', id: '17' }, { label: 'Dogs', id: '1' }), ['1', '17'])
  assert.equal(isExact({ label: 'Dogs', id: '1' }, 'dog'), false)
})
