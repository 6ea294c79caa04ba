import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { startApp } from '../support/app.ts'
import { assertError } from '../support/assert-error.ts'

const PATH = '/.well-known/security.txt'
const contactOf = (text: string) =>
  readConfig({ DATABASE_URL: 'postgres://unused/petstore', SECURITY_CONTACT: text }).securityContact

const securityContact = contactOf('mailto:security@pets.example')

test('security.txt says where to report a vulnerability, as RFC 9116 asks for', async () => {
  const { call } = await startApp({ securityContact, publicBaseUrl: 'https://pets.example/shop/v1' })
  const { status, headers, text } = await call(PATH, { key: null })
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  const [contact, expires, languages, canonical, end, ...rest] = text.split('\n')
  assert.equal(contact, 'Contact: mailto:security@pets.example')
  assert.match(expires!, /^Expires: \d{4}-\d\d-\d\dT00:00:00Z$/)
  const days = (Date.parse(expires!.slice('Expires: '.length)) - Date.now()) / 86_400_000
  assert.ok(days > 178 && days <= 180, `${days} days`)
  assert.equal(languages, 'Preferred-Languages: en')
  assert.equal(canonical, 'Canonical: https://pets.example/.well-known/security.txt')
  assert.equal(end, '')
  assert.deepEqual(rest, [])

  const head = await call(PATH, { key: null, method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('content-length'), String(text.length))
  const options = await call(PATH, { key: null, method: 'OPTIONS' })
  assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
  assertError(await call(PATH, { key: null, method: 'POST' }), 405, 'method_not_allowed')
})

test('its Expires stays in the future however long the process runs', async (t) => {
  const { call } = await startApp({ securityContact })
  const expires = async () => Date.parse(/^Expires: (.*)$/m.exec((await call(PATH, { key: null })).text)![1]!)
  const first = await expires()
  t.mock.timers.enable({ apis: ['Date'], now: first + 1 })
  assert.ok((await expires()) > first + 1)
})

test('it is canonical only where https is, and without a contact there is none', async () => {
  const plain = await startApp({ securityContact, publicBaseUrl: 'http://127.0.0.1:8080/v1' })
  assert.doesNotMatch((await plain.call(PATH, { key: null })).text, /Canonical/)
  const { call } = await startApp()
  assertError(await call(PATH, { key: null }), 404, 'route_not_found')
})

test('SECURITY_CONTACT is a mail address or an https page', () => {
  for (const text of ['mailto:security@pets.example', 'https://pets.example/security'])
    assert.equal(contactOf(text), text)
  for (const text of [
    'security@pets.example',
    'mailto:security',
    'mailto:',
    'http://pets.example/security',
    'https://user@pets.example/',
    'tel:+1-201-555-0123',
  ])
    assert.throws(() => contactOf(text), /SECURITY_CONTACT must be a URL like mailto:/, text)
  assert.doesNotMatch(contactOf('https://pets.example/a\nContact: mailto:evil@x.example') ?? '', /\s/)
})
