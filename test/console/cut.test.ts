import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cut, cutting } from '../../packages/console/src/cut.ts'

test('a name that is not too long stays as it is, however many bytes its characters have', () => {
  for (const name of ['', 'Momo', '👩‍👩‍👧‍👦'.repeat(5), 'é'.repeat(5)]) assert.equal(cut(name, 5), name)
})

test('a longer one is cut between two characters', () => {
  assert.equal(cut('W'.repeat(255), 5), 'WWWWW…')
  assert.equal(cut('👩‍👩‍👧‍👦'.repeat(6), 5), `${'👩‍👩‍👧‍👦'.repeat(5)}…`)
  assert.equal(cut('Momo the First', 5), 'Momo…')
})

test('a sentence has its end, whatever it is about', () => {
  const texts = cutting({ deal: { sold: (name: string) => `${name} is sold.`, left: (n: number) => n } }, 5)
  assert.equal(texts.deal.sold('W'.repeat(255)), 'WWWWW… is sold.')
  assert.equal(texts.deal.left(1_000_000), 1_000_000)
})
