import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routableUrl } from '../../src/http/server/framing.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'

const { call } = await startApp()

const LONG: [what: string, path: string, status: number, code: string][] = [
  ['digits', `/v1/pets/${'9'.repeat(10_000)}`, 404, 'pet_not_found'],
  ['bad percent-encoding', `/v1/pets/${'%'.repeat(10_000)}`, 404, 'pet_not_found'],
  ['percent-encoding', `/v1/pets/${'%31'.repeat(3_000)}`, 404, 'pet_not_found'],
  ['percent-encoding, below an encoded path', `/%76%31/pets/${'%31'.repeat(3_000)}`, 404, 'pet_not_found'],
  ['segments', `/v1/pets/${'1/'.repeat(4_000)}`, 404, 'route_not_found'],
  ['bad segments', `/v1/pets/${'%/'.repeat(4_000)}`, 404, 'route_not_found'],
  ['an order', `/v1/store/orders/${'A'.repeat(10_000)}`, 404, 'order_not_found'],
]
for (const [what, path, status, code] of LONG)
  test(`a long path of ${what} is ${status} ${code}, and 401 without a key`, async () => {
    const answer = await call(path)
    assertError(answer, status, code)
    assert.equal(answer.headers.has('deprecation'), code === 'pet_not_found')
    assertError(await call(path, { key: null }), 401, 'missing_credentials')
  })

test('of a path over 2 kB only the beginning is ever decoded, and its query stays', () => {
  for (const unit of ['%', '/%', '%41', '%F0%9F%90%A2', '/', 'a', '/a%']) {
    const path = `/v1/pets/${unit.repeat(16_000 / unit.length)}`
    const routed = routableUrl({ url: `${path}?a=1?%` })
    assert.ok(routed.length < 7_000 && routed.endsWith('?a=1?%'), `${unit}: ${routed.length}`)
    assert.doesNotThrow(() => decodeURIComponent(routed.slice(0, routed.indexOf('?'))))
  }
  const longest = `/v1/pets/${'a'.repeat(2_039)}`
  assert.equal(routableUrl({ url: longest }), longest)
  const query = `/v1/pets?id=${'1,'.repeat(4_000)}1`
  assert.equal(routableUrl({ url: query }), query)
})
