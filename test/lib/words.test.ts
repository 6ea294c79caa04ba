import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nameMeant } from '../../src/lib/did-you-mean.ts'
import { parseDuration } from '../../src/lib/duration.ts'

const STATUSES = ['available', 'pending', 'sold']

for (const [text, meant] of [
  ['Sold', 'sold'],
  [' sold ', 'sold'],
  ['availble', 'available'],
  ['PENDNG', 'pending'],
  ['solid', 'sold'],
  ['gone', undefined],
  ['', undefined],
  ['x'.repeat(10_000), undefined],
] as const) {
  test(`${JSON.stringify(text.slice(0, 12))} was meant to be ${meant}`, () =>
    assert.equal(didYouMean(text, STATUSES), meant))
}

test('the nearest word is meant, not the first that is near', () => {
  assert.equal(didYouMean('--jsn', ['--in', '--json']), '--json')
})

const NAMES = ['limit', 'status', 'cursor', 'name', 'id', 'categoryId', 'sort', 'view']
for (const [text, meant] of [
  ['limt', 'limit'],
  ['stauts', 'status'],
  ['VIEW', 'view'],
  ['veiw', 'view'],
  ['ids', 'id'],
  ['id[]', 'id'],
  ['id[12]', 'id'],
  ['CATEGORY_IDS', 'categoryId'],
  ['category', 'categoryId'],
  ['uid', undefined],
  ['list', undefined],
  ['new', undefined],
  ['_', undefined],
  ['ts', undefined],
  ['v', undefined],
  ['', undefined],
  ['[]', undefined],
  ['s', undefined],
  ['[x]', undefined],
] as const) {
  test(`the name ${JSON.stringify(text)} was meant to be ${meant}`, () => assert.equal(nameMeant(text, NAMES), meant))
}

for (const [text, milliseconds] of [
  ['45s', 45_000],
  ['30m', 1_800_000],
  ['12h', 43_200_000],
  ['90d', 7_776_000_000],
  ['0d', undefined],
  ['1w', undefined],
  ['-1d', undefined],
  ['1.5h', undefined],
  ['never', undefined],
  ['', undefined],
] as const) {
  test(`the duration ${JSON.stringify(text)} is ${milliseconds} ms`, () =>
    assert.equal(parseDuration(text), milliseconds))
}
