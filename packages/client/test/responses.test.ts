import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetstore } from '../src/index.ts'
import { nextTarget } from '../src/link.ts'
import { json, KEY, startFaulty } from './support/faulty.ts'

const rex = '[{"id":1,"name":"Rex","categoryId":7}]'

test('the key is sent to no other host, whatever a link says; the walk continues at the base URL', async () => {
  const stranger = await startFaulty(json(200, rex))
  const link = { link: `<${stranger.baseUrl}/pets?limit=1&cursor=a%2Bb>; rel="next"` }
  const service = await startFaulty(json(200, rex, link), json(200, '[]'))
  for await (const pet of createPetstore({ baseUrl: service.baseUrl, key: KEY }).pets.list({ status: 'sold' }))
    assert.equal(pet.name, 'Rex')
  assert.deepEqual(stranger.received, [])
  assert.deepEqual(
    service.received.map(({ url }) => url),
    ['/v1/pets?limit=100&status=sold', '/v1/pets?limit=100&status=sold&cursor=a%2Bb'],
  )
})

test('a redirect is not followed', async () => {
  const stranger = await startFaulty(json(200, rex))
  const service = await startFaulty(json(307, '', { location: `${stranger.baseUrl}/pets` }))
  await assert.rejects(createPetstore({ baseUrl: service.baseUrl, key: KEY }).pets.list().page(), {
    code: 'unexpected_answer',
    status: 307,
  })
  assert.deepEqual(stranger.received, [])
})

for (const [what, answer] of Object.entries({
  'an error page of a proxy': json(403, '<h1>Forbidden</h1>'),
  'a page in place of pets': json(200, '<h1>Welcome</h1>'),
  'a number where a list should be': json(200, '5'),
  'a pet without its id': json(200, '[{"name":"Rex","categoryId":7}]'),
  'an id that is no integer': json(200, '[{"id":1.5,"name":"Rex","categoryId":7}]'),
  'a link that leads nowhere': json(200, rex, { link: '</v1/pets>; rel="next"' }),
}))
  test(`${what} is an unexpected response`, async () => {
    const { baseUrl } = await startFaulty(answer)
    await assert.rejects(createPetstore({ baseUrl, key: KEY }).pets.list().page(), {
      name: 'PetstoreError',
      code: 'unexpected_answer',
    })
  })

test('a base URL may end in a slash, and a custom fetch is used', async () => {
  const { baseUrl, received } = await startFaulty(json(200, rex))
  let calls = 0
  const counting: typeof fetch = (...call) => {
    calls++
    return fetch(...call)
  }
  await createPetstore({ baseUrl: new URL(`${baseUrl}/`), key: KEY, fetch: counting })
    .pets.list({ limit: 5 })
    .page()
  assert.equal(calls, 1)
  assert.equal(received[0]?.url, '/v1/pets?limit=5')
})

test('the next link is found among others, however it is written', () => {
  for (const [link, target] of [
    ['</v1/pets?a=1,2&cursor=x>; rel="next"', '/v1/pets?a=1,2&cursor=x'],
    ['<a>; rel="prev", <b>; title="rel=next, <c>"; REL=Next', 'b'],
    ['<a>;rel="first next";type="x"', 'a'],
    ['<a>; rel=next, <b>; rel=next', 'a'],
    ['<a>; rel="nextish", <b>; rel=nexts', undefined],
    ['<a>; title="x; rel=next"', undefined],
    ['<a>; title=next', undefined],
    ['', undefined],
  ] as const)
    assert.equal(nextTarget(link), target, link)
})
