import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { compareBytes, lengthToRead, matchOf, termsOf, WORDS_VERSION, wordsOf } from '../../src/lib/words.ts'

const EXAMPLES: [name: string, words: string[], foundBy: string[], notBy?: string[]][] = [
  ['Big Moe', ['big', 'moe'], ['mo', 'MOE b', 'big moe'], ['oe', 'big max']],
  ['Zoë', ['zoe'], ['zoe', 'ZOË', 'Zoe\u0308']],
  ['Søren', ['soren'], ['sor', 'SØ']],
  ['Łukasz', ['lukasz'], ['luk']],
  ['Strauß', ['strauss'], ['STRAUSS', 'straus', 'strauẞ']],
  ['İstanbul', ['istanbul'], ['ista', 'İSTA']],
  ['ısı', ['isi'], ['isi', 'ISI']],
  ['Ёлка', ['елка'], ['ел', 'ёл', 'ЁЛКА']],
  ['τῷ ᾠδή', ['τωι', 'ωιδη'], ['ΤΩΙ', 'ΤΩ', 'τῷ', 'ᾨΔΉ', 'ΩΙΔΗ']],
  ['Οδυσσεύς', ['οδυσσευσ'], ['οδυσ', 'ΟΔΥΣΣΕΥΣ']],
  ['モモちゃん', ['ももちゃん', 'もちゃん', 'ちゃん', 'ゃん', 'ん'], ['もも', 'モモ', 'ちゃん', 'ﾓﾓ']],
  ['ガク', ['か\u3099く', 'く'], ['ガ', 'カ', 'ｶﾞ'], ['カク']],
  ['한글', ['한글'.normalize('NFD')], ['하', '한'], ['글']],
  ['👩🏽‍🚀 Luna', ['👩', '🚀', 'luna'], ['🚀', '👩‍🚀', 'luna']],
  ['Shelly 🐢', ['shelly', '🐢'], ['🐢', 'shel 🐢']],
  ['مُحَمَّد', ['محمد'], ['محمد', 'مُحَ']],
  ['שָׁלוֹם', ['שלום'], ['שלום', 'שָׁ']],
  ["O'Malley", ['o', 'malley'], ['malley', "o'm"]],
  ['C++', ['c', '+'], ['c+', 'c++', '+']],
  ['ﬁdo', ['fido'], ['fid', 'FIDO']],
  ['𝕽𝖊𝖝', ['rex'], ['rex']],
  ['!!!', ['!!!'], ['!!!', '!']],
  ['महाराजा', ['महाराजा'], ['महा'], ['मह ाराजा']],
  ['แมวดำ', ['แมวดำ', 'มวดำ', 'วดำ', 'ดำ', 'า'].map((word) => word.normalize('NFKD')), ['แมว', 'ดำ']],
  ['  ', [], []],
]

for (const [name, words, foundBy, notBy = []] of EXAMPLES) {
  test(`the words of ${JSON.stringify(name)}`, () => {
    assert.deepEqual(wordsOf(name), words)
    for (const text of foundBy) assert.ok(isFoundBy(name, text), `found by ${text}`)
    for (const text of notBy) assert.ok(!isFoundBy(name, text), `not found by ${text}`)
  })
}

function isFoundBy(name: string, text: string) {
  const terms = termsOf(text)
  return matchOf(wordsOf(name), terms, terms[0] ?? '') !== undefined
}

test('a name has at most 16 words, each once, and a word at most 32 characters', () => {
  assert.deepEqual(wordsOf('a b a b'), ['a', 'b'])
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
  assert.deepEqual(wordsOf(letters.join(' ')), letters.slice(0, 16))
  assert.deepEqual(wordsOf('x'.repeat(255)), ['x'.repeat(32)])
  assert.deepEqual(wordsOf('𐐨'.repeat(127)), ['𐐨'.repeat(32)])
  assert.equal(wordsOf('犬'.repeat(255)).length, 1)
  assert.equal(wordsOf(characters(0x4e00, 255)).length, 16)
  assert.ok(isFoundBy('x'.repeat(255), 'x'.repeat(200)))
})

test('a term that begins another one is left out', () => {
  assert.deepEqual(termsOf('mo Moe big'), ['moe', 'big'])
  assert.deepEqual(termsOf(' \t'), [])
})

test('of several words that begin with a term, the first in the order of the index counts', () => {
  assert.equal(matchOf(wordsOf('Moritz Mo Max'), ['m'], 'm'), 'max')
  assert.equal(matchOf(wordsOf('Moritz Mo Max'), ['m', 'b'], 'm'), undefined)
  // In UTF-16 the other way round.
  assert.equal(compareBytes('\ufb01', '🐢'), -1)
  assert.deepEqual(['🐢', 'a', 'ｱ', 'é'].toSorted(compareBytes), ['a', 'é', 'ｱ', '🐢'])
})

/** All of them are assigned, so that a later Unicode changes nothing. */
const RANGES: [first: number, last: number][] = [
  [0x20, 0x7e],
  [0xa1, 0x24f],
  [0x300, 0x36f],
  [0x3a3, 0x3ce],
  [0x400, 0x45f],
  [0x5b0, 0x5bd],
  [0x5d0, 0x5ea],
  [0x621, 0x652],
  [0x904, 0x939],
  [0x93e, 0x94d],
  [0xe01, 0xe3a],
  [0xe40, 0xe4e],
  [0x1100, 0x1112],
  [0x1e00, 0x1eff],
  [0x200b, 0x200f],
  [0x2190, 0x21ff],
  [0x3041, 0x3096],
  [0x3099, 0x309a],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fa5],
  [0xac00, 0xd7a3],
  [0xfb00, 0xfb06],
  [0xfe0e, 0xfe0f],
  [0xff01, 0xff9f],
  [0x1d400, 0x1d454],
  [0x1f300, 0x1f5ff],
  [0x1f600, 0x1f64f],
]

/** Always the same names, each of one or two scripts. */
function fixedNames(count: number) {
  let state = 1
  const below = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
  const character = ([first, last]: [number, number]) => String.fromCodePoint(first + below(last - first + 1))
  const rangeOf = () => RANGES[below(RANGES.length)]!
  return Array.from({ length: count }, () => {
    const ranges = [rangeOf(), rangeOf(), [0x20, 0x20], [0x61, 0x7a]] as [number, number][]
    return Array.from({ length: 1 + below(20) }, () => character(ranges[below(ranges.length)]!)).join('')
  })
}

test('words change only together with WORDS_VERSION', () => {
  const words = fixedNames(2_000).map((name) => wordsOf(name))
  assert.ok(new Set(words.flat()).size > 3_000)
  assert.deepEqual(
    { version: WORDS_VERSION, hash: hash('sha256', JSON.stringify(words)).slice(0, 16) },
    { version: 1, hash: '08340dc3516738af' },
    'Raise WORDS_VERSION, with a migration, as src/storage/README.md says: every pet gets its words again.',
  )
})

test('in every script a name is found by each of its words, in any case and normal form, and by what begins them', () => {
  for (const name of fixedNames(5_000)) {
    const words = wordsOf(name)
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) assert.deepEqual(wordsOf(name.normalize(form)), words, name)
    for (const word of words) {
      const letters = Array.from(word)
      for (let length = 1; length <= letters.length; length++) {
        const terms = termsOf(letters.slice(0, length).join(''))
        // Of punctuation, and of marks without a letter, a part may be nothing.
        if (terms.length > 0)
          assert.notEqual(matchOf(words, terms, terms[0]!), undefined, JSON.stringify([name, terms]))
      }
    }
  }
})

test('upper and lower case are one, for every character', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const words = wordsOf(`x${character}`)
    for (const cased of [character.toUpperCase(), character.toLowerCase()])
      if (cased !== character) assert.deepEqual(wordsOf(`x${cased}`), words, code.toString(16))
  }
})

const HOSTILE = [
  'ﷺ'.repeat(255),
  'ﷺ'.repeat(56),
  '한'.repeat(255),
  'ガ'.repeat(255),
  'é'.repeat(255),
  '\u{1d160}'.repeat(255),
]

test('no more than 300 characters are read, however many a name has, and no character is divided', () => {
  for (const name of HOSTILE) assert.ok(lengthToRead(name) >= 299 && lengthToRead(name) <= 300, name.slice(0, 2))
  assert.deepEqual(wordsOf(`é${'🐢'.repeat(200)}`), ['e', '🐢'])
  assert.deepEqual(wordsOf(`éa${'🐢'.repeat(200)}`), ['ea', '🐢'])
})

const ORDINARY = 'a '.repeat(127)

test('the names that are longest to read take at most fifteen times as long as an ordinary one, also of new characters', () => {
  const repeated = [
    ...HOSTILE,
    characters(0x1f300, 127),
    '+-=<>~'.repeat(42),
    Array.from({ length: 85 }, (_, i) => `x${i}`).join(' '),
  ]
  for (const text of repeated) assertCheap(text.slice(0, 5), 100, 15, () => [wordsOf(text), termsOf(text)])
  for (const [script, first, most] of [
    // Takes 1 to 20 times as long, for a reason that was not found.
    ['Han', 0x4e00, 60],
    ['rare Han', 0x2_00_00, 15],
    ['private', 0xf_00_00, 15],
    ['unassigned', 0x5_00_00, 15],
    ['Tangut', 0x1_70_00, 15],
  ] as const) {
    let next: number = first
    assertCheap(script, 10, most, () => {
      const name = characters(next, 255)
      next += 255
      wordsOf(name)
    })
  }
})

/** In turns with an ordinary name, and the least of some tries of each: other programs share the core. */
function assertCheap(what: string, times: number, most: number, work: () => unknown) {
  let [least, ordinary] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let tries = 0; tries < 5; tries++) {
    least = Math.min(least, cpuOf(times, work))
    ordinary = Math.min(
      ordinary,
      cpuOf(times, () => [wordsOf(ORDINARY), termsOf(ORDINARY)]),
    )
  }
  assert.ok(least < most * ordinary, `${what}: ${least} µs, an ordinary name ${ordinary} µs`)
}

function cpuOf(times: number, work: () => unknown) {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

function characters(first: number, count: number) {
  return String.fromCodePoint(...Array.from({ length: count }, (_, i) => first + i))
}
