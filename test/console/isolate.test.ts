import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolate, isolating } from '../../packages/console/src/isolate.ts'

const [FSI, PDI, RLI, RLO] = ['\u2068', '\u2069', '\u2067', '\u202e']

test('a name that can turn no text is as it is in a sentence', () => {
  for (const name of ['', 'Momo', 'Élodie 2', '小さな犬 🐕', '<b>Bella</b>']) assert.equal(isolate(name), name)
})

test('a name from right to left, or with characters that set a direction, is isolated', () => {
  for (const name of ['לולו', 'لولو', 'Momo \u200f', `abc${RLO}def`]) assert.equal(isolate(name), FSI + name + PDI)
})

test('what a name opens ends with it, and it ends nothing else', () => {
  assert.equal(isolate(`a${RLI}b`), `${FSI}a${RLI}b${PDI}${PDI}`)
  assert.equal(isolate(`${PDI}${RLO}a`), `${FSI}${RLO}a${PDI}`)
  assert.equal(isolate(`${RLI}a${PDI}${PDI}b`), `${FSI}${RLI}a${PDI}b${PDI}`)
  // As it happens to a sentence inside another.
  assert.equal(isolate(`${isolate('לולו')} is sold.`), `${FSI}${FSI}לולו${PDI} is sold.${PDI}`)
})

test('every text isolates the values in it, and nothing else', () => {
  const texts = isolating({
    title: 'לולו',
    sold: (name: string) => `${name} is sold.`,
    inner: { count: (n: number, all: readonly string[], name?: string) => [n, all, name].join() },
    list: ['a', 'b'],
  })
  assert.equal(texts.title, 'לולו')
  assert.equal(texts.sold('לולו'), `${FSI}לולו${PDI} is sold.`)
  assert.equal(texts.sold('Momo'), 'Momo is sold.')
  assert.equal(texts.inner.count(2, ['לולו']), '2,לולו,')
  assert.deepEqual(texts.list, ['a', 'b'])
})
