import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResponseReader } from '../../fuzz/response.ts'

function faultOf(method: string, status: string, message: string, connection = 'close') {
  const reader = new ResponseReader([method])
  const body = JSON.stringify({ message })
  const head = `HTTP/1.1 ${status}\r\nconnection: ${connection}\r\ncontent-length: ${body.length}\r\n\r\n`
  reader.push(Buffer.from(head + body))
  return reader.fault
}

const MALFORMED = 'The request is not well-formed HTTP.'

test('a response to HEAD has no body, unless the service could not read that it was HEAD', () => {
  assert.equal(faultOf('HEAD', '431 Request Header Fields Too Large', 'too long'), undefined)
  assert.equal(faultOf('HEAD', '400 Bad Request', MALFORMED), undefined)
  assert.match(faultOf('HEAD', '400 Bad Request', 'The request has no Host header.') ?? '', /more than 1 responses/)
  assert.match(faultOf('HEAD', '400 Bad Request', MALFORMED, 'keep-alive') ?? '', /more than 1 responses/)
  assert.match(faultOf('HEAD', '200 OK', MALFORMED) ?? '', /more than 1 responses/)
  assert.equal(faultOf('GET', '400 Bad Request', MALFORMED), undefined)
})
