import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksLikeKey } from '../../packages/console/src/key-format.ts'
import { pseudo } from '../../packages/console/src/pseudo.ts'
import { suggest } from '../../packages/console/src/ui/commands.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { orderIdText } from '../../src/lib/ids/order-id.ts'

const command = (label: string) => ({ label, run: () => {} })
const TARGETS = {
  openPet: (id: string) => command(`pet ${id}`),
  openOrder: (id: string) => command(`order ${id}`),
}
const COMMANDS = ['Go to Pets', 'Go to Pets: Sold', 'Add pet', 'Sign out'].map(command)
const labels = (text: string) => suggest(text, COMMANDS, TARGETS).map(({ label }) => label)

test('a command is found by any of its words, in any order and case', () => {
  assert.deepEqual(labels('SOLD pets'), ['Go to Pets: Sold'])
  assert.deepEqual(labels('pet'), ['Go to Pets', 'Go to Pets: Sold', 'Add pet'])
  assert.equal(labels('').length, COMMANDS.length)
  assert.deepEqual(labels('nothing'), [])
})

test('digits lead to a pet with all of them', () => {
  assert.deepEqual(labels(' 9223372036854775807 '), ['pet 9223372036854775807'])
  for (const beyond of ['9223372036854775808', '9999999999999999999', '12345678901234567890'])
    assert.deepEqual(labels(beyond), [])
})

test('every id of an order leads to it, also with - and _', () => {
  for (let n = 0n; n < 500n; n++) {
    const id = orderIdText({ petId: n * 7_919n + 1n, id: (n * 0x9e3779b97f4a7c15n) & 0x7fffffffffffffffn })
    assert.deepEqual(labels(id), [`order ${id}`])
  }
})

test('every key that the service makes has the form that sign-in expects', () => {
  for (const mode of ['live', 'test'] as const) assert.ok(looksLikeKey(generateKey(mode)))
  const key = generateKey('live')
  assert.ok(looksLikeKey(key.replace('live', 'live_acme')))
  for (const text of [
    '',
    'petk_live_',
    key.slice(1),
    `${key}1`,
    key.slice(0, -1),
    key.replace('live', 'prod'),
    key.replace('live', 'live_Acme'),
  ])
    assert.equal(looksLikeKey(text), false, text)
})

test('the pseudo-locale accents and lengthens every text, also those made by functions', () => {
  const texts = pseudo({ title: 'Pets', count: (n: number) => `${n} pets`, nested: { label: 'Add a pet' } })
  assert.equal(texts.title, '[Pétš~~]')
  assert.match(texts.count(12), /^\[12 pétš~+\]$/)
  for (const text of [texts.title, texts.nested.label])
    assert.ok(text.length >= 1.4 * text.replaceAll(/[[\]~]/g, '').length)
})
