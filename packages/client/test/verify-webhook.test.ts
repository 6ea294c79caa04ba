import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { stringify, verifyWebhook, WebhookVerificationError } from '../src/index.ts'

// Signed by the library that Standard Webhooks publishes, as any sender that follows the standard would.

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const LARGEST = 9_223_372_036_854_775_807n

const EVENT = {
  specversion: '1.0',
  id: 'evt_1',
  source: 'https://pets.example/v1',
  type: 'pet.created',
  subject: `pets/${LARGEST}`,
  time: '2026-11-16T09:30:00.123Z',
  sequence: '0000000000000042',
  data: { pet: { id: LARGEST, name: 'Полли 🐠', categoryId: -LARGEST, status: 'sold', version: 1n } },
}
const BODY = stringify(EVENT)
const PING = { ...EVENT, id: 'evt_ping_1', type: 'webhook.ping', subject: 'webhooks/wh_1', data: {} }

test('a delivery is read as its event, exact to the last digit', async () => {
  assert.deepEqual(await verifyWebhook(BODY, signed(), SECRET), EVENT)
})

test('the body may be text or bytes, also a part of a larger buffer', async () => {
  const bytes = Buffer.from(`..${BODY}..`)
  for (const body of [
    bytes.subarray(2, -2),
    new TextEncoder().encode(BODY),
    new TextEncoder().encode(BODY).buffer,
    new DataView(bytes.buffer, bytes.byteOffset + 2, bytes.length - 4) as unknown as Uint8Array,
  ])
    assert.deepEqual(await verifyWebhook(body, signed(), SECRET), EVENT)
})

test('headers may be of any kind, with names in any case', async () => {
  const headers = signed()
  const entries = Object.entries(headers)
  for (const each of [
    new Headers(headers),
    Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value])),
    Object.fromEntries(entries.map(([name, value]) => [name, [value]])),
    { ...headers, host: 'shop.example', get: 'a header of this name' },
  ])
    assert.deepEqual(await verifyWebhook(BODY, each, SECRET), EVENT)
})

test('a ping is an event without a pet', async () => {
  const event = await verifyWebhook(stringify(PING), signed({ id: PING.id, body: stringify(PING) }), SECRET)
  assert.equal(event.type === 'webhook.ping' && event.data.pet, undefined)
  assert.deepEqual(event, PING)
})

test('while the secret is rotated, the old one and the new one verify', async () => {
  const headers = signed()
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const [signature, other] = [headers['webhook-signature'], new Webhook(OTHER_SECRET).sign(EVENT.id, at, BODY)]
  for (const both of [`${signature} ${other}`, `${other} ${signature}`])
    for (const secret of [SECRET, OTHER_SECRET])
      assert.deepEqual(await verifyWebhook(BODY, { ...headers, 'webhook-signature': both }, secret), EVENT)
})

test('signatures of other versions, and what is none, are skipped, and none of them counts', async () => {
  const delivery = signed()
  const signature = delivery['webhook-signature']
  const others = [
    signature.replace('v1,', 'v1a,'),
    signature.replace('v1,', 'v2,'),
    'v1',
    'v1,',
    'v1,???',
    '',
    'V1,AAAA',
  ]
  const headers = { ...delivery, 'webhook-signature': `${others.join(' ')} ${signature}` }
  assert.deepEqual(await verifyWebhook(BODY, headers, SECRET), EVENT)
  for (const other of [...others.filter((text) => text !== ''), others.join(' '), signature.slice(0, -4)])
    await rejects(BODY, { ...headers, 'webhook-signature': other }, 'invalid_signature')
})

test('whatever is changed, the signature is another', async () => {
  const headers = signed()
  await rejects(BODY.replace('sold', 'free'), headers, 'invalid_signature')
  await rejects(`${BODY}\n`, headers, 'invalid_signature')
  await rejects('', headers, 'invalid_signature')
  await rejects(JSON.stringify(JSON.parse(BODY)), headers, 'invalid_signature')
  await rejects(BODY, { ...headers, 'webhook-id': 'evt_2' }, 'invalid_signature')
  await rejects(BODY, { ...headers, 'webhook-timestamp': String(seconds() - 1) }, 'invalid_signature')
  await rejects(BODY, signed({ secret: OTHER_SECRET }), 'invalid_signature')
})

test('a delivery is accepted for five minutes, and from a clock that is five minutes ahead', async () => {
  mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_999 })
  try {
    for (const age of [-300, 0, 300])
      assert.deepEqual(await verifyWebhook(BODY, signed({ age }), SECRET), EVENT, String(age))
    assert.match(
      await rejects(BODY, signed({ age: 301 }), 'invalid_timestamp'),
      /is 301 s in the past, and at most 300 s/,
    )
    assert.match(await rejects(BODY, signed({ age: -301 }), 'invalid_timestamp'), /is 301 s in the future/)
  } finally {
    mock.timers.reset()
  }
})

test('a timestamp that is no time is rejected', async () => {
  for (const timestamp of ['now', '-1', '1e9', ' ', `${seconds()}.5`, '9'.repeat(400), '2026-11-16T09:30:00Z'])
    await rejects(BODY, { ...signed(), 'webhook-timestamp': timestamp }, 'invalid_timestamp')
})

test('a request without one of the headers, or with two of them, is rejected by the name of the header', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    for (const value of [undefined, '', [], ['1', '2']]) {
      assert.ok(
        (await rejects(BODY, { ...signed(), [name]: value }, 'missing_header')).includes(`one \`${name}\` header`),
      )
    }
  await rejects(BODY, new Headers(), 'missing_header')
})

test('what is signed but no event is rejected', async () => {
  for (const body of [
    '',
    'x',
    '[]',
    'null',
    '{"type":"pet.created"}',
    stringify({ ...EVENT, data: { pet: { id: 1 } } }),
  ])
    await rejects(body, signed({ body }), 'invalid_body')
})

test('a secret that is none, and a body that was parsed, are mistakes of the caller', async () => {
  for (const secret of [
    '',
    'whsec_',
    SECRET.slice(6),
    `${SECRET}\n`,
    'whsec_A',
    'whsec_***',
    undefined as unknown as string,
  ])
    await assert.rejects(
      verifyWebhook(BODY, signed(), secret),
      (error) => error instanceof TypeError && /like whsec_…/.test(error.message) && !error.message.includes('BwcH'),
    )
  for (const body of [EVENT, undefined, null, 7])
    await assert.rejects(
      verifyWebhook(body as unknown as string, signed(), SECRET),
      (error) => error instanceof TypeError && /as it was received/.test(error.message),
    )
})

function signed({ secret = SECRET, id = EVENT.id, age = 0, body = BODY } = {}) {
  const at = new Date((seconds() - age) * 1_000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at.getTime() / 1_000),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}

function seconds() {
  return Math.floor(Date.now() / 1_000)
}

async function rejects(body: string, headers: Parameters<typeof verifyWebhook>[1], code: string) {
  const error = await verifyWebhook(body, headers, SECRET).then(
    () => assert.fail('it was accepted'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof WebhookVerificationError)
  assert.equal(error.code, code)
  return error.message
}
