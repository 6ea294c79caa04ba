import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { repeatLines } from '../../fuzz/repeat.ts'
import { encode, type Request } from '../../fuzz/request.ts'

const KEY = 'petk_test_secret'

test('the line that repeats a finding sends the same bytes, and does not show the key', () => {
  const given: Request = {
    method: 'POST',
    target: '/v1/pets',
    version: '1.0',
    headers: [['Authorization', `Bearer ${KEY}`]],
    body: Buffer.from('{"name":"%s \\\\ \' \t🐢\0\\u0000"}').toString('latin1'),
  }
  const { head, body } = encode(given)
  const [line = ''] = repeatLines([{ requests: [given], broken: 'more\0' }], 'http://127.0.0.1:1', KEY)
  assert.ok(!line.includes(KEY))
  const printed = execFileSync('bash', ['--norc', '-c', line.replace(/ \| nc .*$/, '')], { env: { PETSTORE_KEY: KEY } })
  assert.equal(printed.toString('latin1'), `${head}${body}more\0`)
})
