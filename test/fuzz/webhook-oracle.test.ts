import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../../fuzz/oracle/request.ts'
import { plainRequest, type Request } from '../../fuzz/request.ts'
import { Store } from '../../fuzz/store.ts'

// What the fuzzer believes of webhooks, as a reader of the contract understands it. Others create and delete them meanwhile.
const store = new Store('petk_test_secret')
store.keepPlace('FEED', 7n)
store.keepCursor('oldest', 'cursor=OLD')

const ID = 'wh_00000000000000000000'
const asked = (method: string, path: string, body?: string): Request => ({
  ...plainRequest(method, `/v1/webhooks${path}`, [], body),
  headers: [
    ['Host', 'x'],
    ['Authorization', 'Bearer petk_test_secret'],
  ],
})
const create = (body: string) => asked('POST', '', body)
const change = (body: string, id = ID) => asked('PATCH', `/${id}`, body)
const rotate = (body: string) => asked('POST', `/${ID}/rotate`, body)

const INVALID = ['400 invalid_body']
const MADE = ['201', '409 too_many_webhooks']
const FOUND = ['200', '404 webhook_not_found']

const ROWS: [name: string, given: Request, outcomes: string[]][] = [
  ['all webhooks', asked('GET', ''), ['200']],
  ['a webhook', create('{"url":"https://shop.example:8443/x?y=1","types":["pet.created"]}'), MADE],
  ['a webhook for all events', create('{"url":"https://shop.example","types":null,"x":1}'), MADE],
  ['a URL that only development allows', create('{"url":"http://127.0.0.1:3000"}'), [...MADE, ...INVALID]],
  ['a port below 1024', create('{"url":"https://shop.example:22"}'), [...MADE, ...INVALID]],
  ['a private address', create('{"url":"https://10.0.0.1/"}'), INVALID],
  ['a user in the URL', create('{"url":"https://a@b.example"}'), INVALID],
  ['a fragment', create('{"url":"https://b.example/#"}'), INVALID],
  ['a space', create('{"url":"https://b.example/ "}'), INVALID],
  ['another scheme', create('{"url":"ftp://b.example/"}'), INVALID],
  ['no URL', create('{"types":["pet.created"]}'), INVALID],
  ['a type twice', create('{"url":"https://b.example","types":["pet.created","pet.created"]}'), INVALID],
  ['no type', create('{"url":"https://b.example","types":[]}'), INVALID],
  ['the type of a ping', create('{"url":"https://b.example","types":["webhook.ping"]}'), INVALID],
  ['an array', create('[]'), INVALID],
  ['no JSON', create('{'), ['400 invalid_json']],
  ['one webhook', asked('GET', `/${ID}`), FOUND],
  ['its attempts', asked('HEAD', `/${ID}/attempts`), FOUND],
  ['text that is no id', asked('GET', '/wh_1'), ['404 webhook_not_found']],
  ['a deletion', asked('DELETE', `/${ID}`), ['204', '404 webhook_not_found']],
  ['a ping', asked('POST', `/${ID}/ping`), ['202', '404 webhook_not_found']],
  ['a pause', change('{"state":"paused"}'), FOUND],
  ['a cursor of the feed', change('{"cursor":"FEED"}'), FOUND],
  ['a cursor of pets', change('{"cursor":"OLD"}'), INVALID],
  ['an unknown cursor', change('{"cursor":"x"}'), [...FOUND, ...INVALID, '410 cursor_expired']],
  ['a change of nothing', change('{"x":1}'), INVALID],
  ['a change of nothing of no webhook', change('{}', 'wh_1'), INVALID],
  ['a state that only the service sets', change('{"state":"disabled"}'), INVALID],
  ['a rotation', rotate('{}'), FOUND],
  ['an overlap of a week', rotate('{"overlap":604800}'), FOUND],
  ['an overlap of more than a week', rotate('{"overlap":604801}'), INVALID],
  ['an overlap with an exponent', rotate('{"overlap":6e1}'), [...FOUND, ...INVALID]],
]
for (const [name, given, outcomes] of ROWS)
  test(`the oracle expects ${outcomes.join(' or ')} for ${name}`, () => {
    const judged = judge(given, store, { from: 0, to: 100 })
    assert.deepEqual(
      judged.map(({ statuses, codes = [] }) => [...statuses, ...codes].join(' ')),
      outcomes,
    )
  })
