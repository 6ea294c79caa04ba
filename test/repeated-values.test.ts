import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { IDLE_MS, EXPIRY_NOTICE_MS as SHOWN_NOTICE_MS } from '../packages/console/src/service-times.ts'
import { EXPIRY_NOTICE_MS } from '../src/domain/keys.ts'
import { ERRORS } from '../src/http/wire/error-codes.ts'
import { RESPONSE_HEADERS } from '../src/http/wire/response-headers.ts'
import { SESSION_TIMES } from '../src/lib/times.ts'
import { MAX_INSERTS } from '../src/storage/idempotency/inserts.ts'
import { MAX_WEBHOOKS } from '../src/storage/webhooks/create.ts'
import { RESPONSES_KEPT } from '../src/storage/webhooks/leases.ts'
import { RETRY_SECONDS } from '../src/storage/webhooks/webhooks.ts'

// The console imports nothing of the service, and documents are text: these values are repeated there.

test('the console ends an idle session when the service does', () => {
  assert.equal(IDLE_MS, SESSION_TIMES.idleMinutes * 60_000)
})

test('the console and the document announce the end of a key when the service does', () => {
  assert.equal(SHOWN_NOTICE_MS, EXPIRY_NOTICE_MS)
  assert.match(RESPONSE_HEADERS.KeyExpires.description, new RegExp(`in its last ${EXPIRY_NOTICE_MS / 86_400_000} days`))
})

test('the documents state how many webhooks there can be', () => {
  assert.match(ERRORS.too_many_webhooks.means, new RegExp(`There are ${MAX_WEBHOOKS} webhooks already`))
  const document = readFileSync('openapi.json', 'utf8')
  assert.match(document, new RegExp(`Returns all webhooks, at most ${MAX_WEBHOOKS}, oldest first`))
  assert.match(document, new RegExp(`There can be ${MAX_WEBHOOKS} webhooks`))
  assert.match(readFileSync('packages/client/src/webhooks.ts', 'utf8'), new RegExp(`at most ${MAX_WEBHOOKS}, oldest`))
})

test('the documents state how far apart retries are, and how many responses are kept', () => {
  const document = readFileSync('openapi.json', 'utf8')
  assert.match(document, new RegExp(`At most once in ${RETRY_SECONDS} seconds`))
  assert.match(document, new RegExp(`Kept for the last ${RESPONSES_KEPT} attempts`))
  assert.match(readFileSync('packages/client/src/webhooks.ts', 'utf8'), new RegExp(`once in ${RETRY_SECONDS} seconds`))
  const guide = readFileSync('docs/events.md', 'utf8')
  assert.match(guide, new RegExp(`less than ${RETRY_SECONDS}\\s+seconds after the last`))
  assert.match(guide, new RegExp(`of the last ${RESPONSES_KEPT} attempts`))
})

test('every order of a batch has last bits of its id to itself', () => {
  const source = readFileSync('src/storage/orders/place.ts', 'utf8')
  const [, batch] = /const MAX_ORDERS = (\d+)/.exec(source) ?? []
  const [, positions] = /& -(\d+)\)/.exec(source) ?? []
  for (const size of [Number(batch), MAX_INSERTS]) assert.ok(size < Number(positions), `${size} of ${positions}`)
})
