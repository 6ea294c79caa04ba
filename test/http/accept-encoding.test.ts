import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedCoding } from '../../src/http/wire/accept-encoding.ts'

const OFFERED = ['br', 'gzip'] as const

for (const [header, coding] of [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP ;q=1.0, BR;q=0', 'gzip'],
  ['br;q=0.5, gzip;q=0.000', 'br'],
  ['brotli, x-gzip', undefined],
] as const)
  test(`of Accept-Encoding ${JSON.stringify(header)}, ${coding} is used`, () =>
    assert.equal(acceptedCoding(header, OFFERED), coding))

test('eight codings are read, and the header has room for thousands', () => {
  assert.equal(acceptedCoding(`${'x,'.repeat(7)}br`, OFFERED), 'br')
  assert.equal(acceptedCoding(`${'x,'.repeat(8)}br`, OFFERED), undefined)
  assert.equal(acceptedCoding(`${','.repeat(16_000)}br`, OFFERED), undefined)
})
