import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { generateKey, hashKey, isWellFormedKey, keysIn, withoutKeys } from '../../../src/lib/ids/key-format.ts'
import { ALPHABET, namedKey } from '../../support/named-key.ts'

test('a key is its mode, 30 random characters, and 6 of their CRC32', () => {
  for (const mode of ['live', 'test'] as const) {
    const key = generateKey(mode)
    const [, secret, checksum] = new RegExp(`^petk_${mode}_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$`).exec(key)!
    const value = Array.from(checksum!).reduce((sum, char) => sum * 62 + ALPHABET.indexOf(char), 0)
    assert.equal(value, crc32(secret!))
    assert.ok(isWellFormedKey(key))
  }
})

test('a key may have the name of a store, which its checksum includes', () => {
  for (const name of ['a', 'acme', 's2', 'a'.repeat(20)]) {
    const key = namedKey(name)
    assert.ok(isWellFormedKey(key), key)
    assert.ok(!isWellFormedKey(key.replace(`${name}_`, 'other_')))
    assert.ok(!isWellFormedKey(key.replace(`${name}_`, '')))
    assert.deepEqual(keysIn(`/pets/x${key}x?key=${key.replaceAll('_', '%5F')}`), [key, key])
  }
  for (const name of ['', 'A', '2s', 'a-b', 'a_b', 'a'.repeat(21)]) assert.ok(!isWellFormedKey(namedKey(name)), name)
})

test('no two keys are alike', () => {
  assert.equal(new Set(Array.from({ length: 1_000 }, () => generateKey('live'))).size, 1_000)
})

test('a key with any one character changed is noise', () => {
  const key = generateKey('live')
  for (let i = 0; i < key.length; i++) {
    const changed = key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1)
    assert.equal(isWellFormedKey(changed), false, `character ${i}`)
  }
  for (const text of ['', key.slice(1), `${key}a`, `${key}\n`, key.toUpperCase(), key.replace('live', 'prod')])
    assert.equal(isWellFormedKey(text), false)
})

test('what is stored is the SHA-256 of the whole key', () => {
  assert.equal(hashKey('petk'), '2f7a939e0f3182bd51955dab2adcbd60a89dd644c47075cc1a5db0247c9f8bc9')
})

test('keys are found wherever they stand in a text, and nothing else is', () => {
  const [one, other] = [generateKey('live'), generateKey('test')]
  assert.deepEqual(keysIn(`/pets/${one}?key=${other}&again=${one}`), [one, other, one])
  assert.deepEqual(keysIn(`x${one}x${other}x`), [one, other])
  // What looks like a key for a while takes nothing away from the one that begins in it.
  assert.deepEqual(keysIn(`petk_live_${'0'.repeat(32)}${one}`), [one])
  for (const text of ['', '/v1/pets', 'petk_', one.slice(0, -1), one.replace('live', 'prod'), one.replace('_', '%FF')])
    assert.deepEqual(keysIn(text), [])
})

test('a key is found also where some or all of it is percent-encoded', () => {
  const key = generateKey('live')
  const encoded = Array.from(Buffer.from(key), (byte) => `%${byte.toString(16)}`).join('')
  for (const text of [key.replaceAll('_', '%5F'), key.replaceAll('_', '%5f'), encoded, `%FF%zz${encoded}%`])
    assert.deepEqual(keysIn(`/v1/pets?key=${text}`), [key])
})

test('a message loses whatever may be a key, and keeps how keys begin', () => {
  const key = generateKey('live')
  assert.equal(
    withoutKeys(`There is no key ${key}, petk_live_abc or PETK_x.`),
    'There is no key petk_…, petk_… or petk_….',
  )
  assert.equal(withoutKeys(`There is no key ${namedKey('acme')}.`), 'There is no key petk_….')
  assert.equal(withoutKeys('petk_live_ or petk_test_ and 36 letters'), 'petk_live_ or petk_test_ and 36 letters')
})
