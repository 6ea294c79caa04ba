import type { Clause } from '../clause.ts'
import { expect, expectHeader, expectPet, objectOf, petOf, petsOf } from '../expect.ts'
import { post } from '../herd.ts'
import { rejection } from '../rejection.ts'

const pet = (fields: string) => `{"name":"verify",${fields}}`
const named = (name: string) => `{"name":"${name}","categoryId":1}`
const deep = (levels: number) => pet(`"categoryId":1,"x":${'['.repeat(levels)}${']'.repeat(levels)}`)

const NOT_JSON: [id: string, what: string, body: string | Buffer][] = [
  ['empty', 'an empty body', ''],
  ['text', 'text', 'verify'],
  ['byte-order-mark', 'a byte order mark', `\uFEFF${pet('"categoryId":1')}`],
  ['utf-8', 'invalid UTF-8', Buffer.from(named('a\u00ff'), 'latin1')],
  ['twice', 'a key named twice', pet('"categoryId":1,"categoryId":2')],
  ['twice-equal', 'a key named twice with the same value', pet('"categoryId":1,"categoryId":1')],
  ['twice-escaped', 'a key named twice, once in escapes', pet('"categoryId":1,"category\\u0049d":2')],
  ['twice-deep', 'a key named twice deep down', pet('"categoryId":1,"x":[{"y":1,"y":1}]')],
  ['depth', '33 levels', deep(32)],
  ['trailing-comma', 'a comma too many', pet('"categoryId":1,')],
  ['two-values', 'two values', `${pet('"categoryId":1')} ${pet('"categoryId":1')}`],
  ['comment', 'a comment', pet('"categoryId":1 /* one */')],
  ['leading-zero', 'a number with a leading zero', pet('"categoryId":01')],
]

const NOT_A_PET: [id: string, what: string, body: string][] = [
  ['null', 'null', 'null'],
  ['array', 'an array', `[${pet('"categoryId":1')}]`],
  ['number', 'a number with a fraction', '5.5'],
  ['no-name', 'no `name`', '{"categoryId":1}'],
  ['name-null', '`name` null', '{"name":null,"categoryId":1}'],
  ['name-array', '`name` an array', '{"name":["verify"],"categoryId":1}'],
  ['category-id-null', '`categoryId` null', pet('"categoryId":null')],
  ['category-id-array', '`categoryId` an array', pet('"categoryId":[5]')],
  ['category-id-below', '`categoryId` below int64', pet('"categoryId":-9223372036854775809')],
  ['status-null', '`status` null', pet('"categoryId":1,"status":null')],
  ['status-empty', '`status` empty', pet('"categoryId":1,"status":""')],
  ['name-empty', 'an empty `name`', named('')],
  ['name-spaces', 'a `name` of spaces', named('   ')],
  ['name-ideographic-space', 'a `name` of an ideographic space', named('\u3000')],
  ['name-joiner', 'a `name` of a zero-width joiner', named('\u200d')],
  ['name-filler', 'a `name` of a Hangul filler', named('\u3164')],
  ['name-selector', 'a `name` of a variation selector', named('\ufe0f')],
  ['name-256', 'a `name` of 256 characters', named('a'.repeat(256))],
  ['name-256-wide', 'a `name` of 256 characters outside the first plane', named('🐢'.repeat(256))],
  ['name-nul', 'NUL in `name`', named('a\\u0000b')],
  ['name-newline', 'a newline in `name`', named('a\\nb')],
  ['name-delete', 'DEL in `name`', named('a\\u007f')],
  ['name-c1', 'a C1 control in `name`', named('a\\u0085b')],
  ['name-high-surrogate', 'a high surrogate alone in `name`', named('a\\ud83d')],
  ['name-low-surrogate', 'a low surrogate alone in `name`', named('\\udc22a')],
  ['name-surrogates', 'surrogates the wrong way round in `name`', named('\\udc22\\ud83d')],
]

const NAMES: [id: string, name: string][] = [
  ['one', 'x'],
  ['255', 'é'.repeat(255)],
  ['255-wide', '🐢'.repeat(255)],
  ['spaces', '  Rex '],
  ['decomposed', 'e\u0301'],
  ['joiner', '👩\u200d🚀'],
  ['right-to-left', '\u202eשלום'],
  ['line-separator', '\u2028a'],
  ['last-code-point', 'a\u{10FFFF}'],
]

const IGNORED: [id: string, fields: string][] = [
  ['unknown', '"categoryId":1,"colour":"red"'],
  ['id', '"categoryId":1,"id":77777777777'],
  ['prototype', '"categoryId":1,"__proto__":{"status":"sold"},"constructor":2'],
  ['deep', `"categoryId":1,"x":${'['.repeat(31)}${']'.repeat(31)}`],
]

export const BODIES: Clause[] = [
  ...NOT_JSON.map(([id, what, body]) =>
    rejection(
      `create.json.${id}`,
      `A body that is not JSON is 400 invalid_json: ${what}.`,
      post(body),
      400,
      'invalid_json',
    ),
  ),
  ...NOT_A_PET.map(([id, what, body]) =>
    rejection(
      `create.invalid.${id}`,
      `A body that is JSON but no NewPet is 400 invalid_body: ${what}.`,
      post(body),
      400,
      'invalid_body',
    ),
  ),
  ...NAMES.map(
    ([id, name]): Clause => ({
      id: `create.name.kept.${id}`,
      profile: 'full',
      sentence: 'A name of 1 to 255 characters is kept as it was given: nothing is trimmed, nothing normalised.',
      run: async ({ call }) => {
        const given = { name, categoryId: 1n }
        const { id: petId } = expectPet(await call(post(JSON.stringify({ name, categoryId: 1 }))), 201, given)
        expectPet(await call({ path: `/pets/${petId}` }), 200, given)
        const listed = await call({ path: `/pets?id=${petId}` })
        expect(listed, petsOf(listed)[0]?.name === name, 'the same name in the list')
      },
    }),
  ),
  ...IGNORED.map(
    ([id, fields]): Clause => ({
      id: `create.ignored.${id}`,
      profile: 'full',
      sentence: 'Unknown fields that resemble no known one, also `id`, are ignored and never returned.',
      run: async ({ call }) => {
        const response = await call(post(pet(fields)))
        const created = expectPet(response, 201, { name: 'verify', categoryId: 1n })
        expect(response, created.id !== 77777777777n, 'an `id` that the service assigned')
        expect(response, Object.keys(objectOf(response)).length === 3, 'nothing but `id`, `name` and `categoryId`')
      },
    }),
  ),
  {
    id: 'create.location',
    profile: 'full',
    sentence: '201 carries Location, the URL of the new pet.',
    run: async ({ call }) => {
      const response = await call(post(pet('"categoryId":1')))
      expectHeader(response, 'Location', new RegExp(`/v1/pets/${petOf(response, 201).id}$`))
    },
  },
  {
    id: 'create.same-everywhere',
    profile: 'full',
    sentence: 'A pet is the same in the responses to POST, GET /pets/{petId} and GET /pets.',
    run: async ({ call }) => {
      const created = await call(post(pet('"categoryId":5,"status":"sold"')))
      const { id } = petOf(created, 201)
      const got = await call({ path: `/pets/${id}` })
      expect(got, got.text === created.text, created.text)
      const listed = await call({ path: `/pets?id=${id}` })
      expect(listed, listed.text === `[${created.text}]`, `[${created.text}]`)
    },
  },
  {
    id: 'create.refused.leaves-nothing',
    profile: 'full',
    sentence: 'A rejected POST adds nothing.',
    run: async ({ call, add }) => {
      const name = `verify refused ${crypto.randomUUID()}`
      const first = await add('{"name":"verify before","categoryId":1}')
      const good = `{"name":"${name}","categoryId":1}`
      await call(post(`{"name":"${name}","categoryId":"1"}`))
      await call(post(`{"name":"${name}","categoryId":1,"status":"gone"}`))
      await call(post(`{"name":"${name}","categoryId":1,"categoryId":1}`))
      await call({ ...post(good), authorization: null })
      await call(post(good, { 'Content-Type': 'text/plain' }))
      await call({ ...post(good), method: 'PUT' })
      const last = await add('{"name":"verify after","categoryId":1}')
      // Other clauses add pets meanwhile, but not thousands.
      for (let id = first.id; id < last.id && id < first.id + 2_000n; id += 100n) {
        const ids = Array.from({ length: 100 }, (_, i) => id + BigInt(i))
        const response = await call({ path: `/pets?limit=100&id=${ids.join()}` })
        expect(
          response,
          petsOf(response).every((found) => found.name !== name),
          `no animal named ${name}`,
        )
      }
    },
  },
]
