import type { Clause } from '../clause.ts'
import { expect, expectPet, jsonOf, petOf, STATUSES } from '../expect.ts'
import { post } from '../herd.ts'
import { rejection } from '../rejection.ts'

const pet = (fields: string) => `{"name":"verify",${fields}}`

const INVALID = 'Body missing required fields or containing invalid values: 400 with an Error body'

// What no reading of the published interface allows. What it leaves open, like an empty name, is not here.
const REJECTED: [id: string, what: string, body: string][] = [
  ['name.missing', 'no `name`', '{"categoryId":1}'],
  ['category-id.missing', 'no `categoryId`', '{"name":"verify"}'],
  ['both-missing', 'an empty object', '{}'],
  ['name.misspelled', '`Name` for `name`', '{"Name":"verify","categoryId":1}'],
  ['name.null', '`name` null', '{"name":null,"categoryId":1}'],
  ['name.number', '`name` a number', '{"name":5,"categoryId":1}'],
  ['name.boolean', '`name` a boolean', '{"name":true,"categoryId":1}'],
  ['name.object', '`name` an object', '{"name":{},"categoryId":1}'],
  ['name.array', '`name` an array', '{"name":["verify"],"categoryId":1}'],
  ['category-id.null', '`categoryId` null', pet('"categoryId":null')],
  ['category-id.string', '`categoryId` a string', pet('"categoryId":"five"')],
  ['category-id.digits', '`categoryId` digits in a string', pet('"categoryId":"5"')],
  ['category-id.boolean', '`categoryId` a boolean', pet('"categoryId":true')],
  ['category-id.fraction', '`categoryId` 5.5', pet('"categoryId":5.5')],
  ['category-id.object', '`categoryId` an object', pet('"categoryId":{}')],
  ['category-id.array', '`categoryId` an array', pet('"categoryId":[5]')],
  ['category-id.above', '`categoryId` above int64', pet('"categoryId":9223372036854775808')],
  ['category-id.below', '`categoryId` below int64', pet('"categoryId":-9223372036854775809')],
  ['status.unknown', '`status` gone', pet('"categoryId":1,"status":"gone"')],
  ['status.case', '`status` Sold', pet('"categoryId":1,"status":"Sold"')],
  ['status.number', '`status` a number', pet('"categoryId":1,"status":1')],
  ['status.array', '`status` an array', pet('"categoryId":1,"status":["sold"]')],
  ['body.empty', 'no body', ''],
  ['body.text', 'a body that is not JSON', 'verify'],
  ['body.truncated', 'half a body', '{"name":"verify","cat'],
  ['body.array', 'an array', '[]'],
  ['body.string', 'a string', '"verify"'],
  ['body.number', 'a number', '5'],
  ['body.null', 'null', 'null'],
]

const NAMES: [id: string, name: string][] = [
  ['ascii', 'Rex of verify'],
  ['accents', 'Šárka Ñandú Übü'],
  ['other-scripts', 'Полли 小花 שלום'],
  ['emoji', '🐢🐇'],
  ['quotes', `"Rex" 'o' \\ /`],
  ['sql', `'; drop table pets; --`],
]

const AGAIN = 'Fetch one animal by identifier: what was added is returned'

export const CREATE: Clause[] = [
  {
    id: 'create.ok',
    profile: 'spec',
    sentence: 'Animal added: 201, and the body is a Pet that carries the assigned `id`.',
    run: async ({ call }) => void petOf(await call(post(pet('"categoryId":1'))), 201),
  },
  {
    id: 'create.media-type',
    profile: 'spec',
    sentence: 'Response bodies are `application/json`: POST /pets.',
    run: async ({ call }) => void jsonOf(await call(post(pet('"categoryId":1')))),
  },
  ...[...STATUSES, undefined].map(
    (status): Clause => ({
      id: `create.status.${status ?? 'absent'}`,
      profile: 'spec',
      sentence: status
        ? `A status may be supplied when an animal is added: ${status}.`
        : '`status` is optional, and no default is given: added without one, an animal is returned without one.',
      run: async ({ call }) => {
        const body = status ? pet(`"categoryId":2,"status":"${status}"`) : pet('"categoryId":2')
        const given = { name: 'verify', categoryId: 2n, ...(status && { status }) }
        const { id } = expectPet(await call(post(body)), 201, given)
        expectPet(await call({ path: `/pets/${id}` }), 200, { id, ...given })
      },
    }),
  ),
  ...NAMES.map(
    ([id, name]): Clause => ({
      id: `create.name.${id}`,
      profile: 'spec',
      sentence: `\`name\` is a string, the animal’s name. ${AGAIN}: ${name}`,
      run: async ({ call }) => {
        const created = await call(post(JSON.stringify({ name, categoryId: 1 })))
        const { id: petId } = expectPet(created, 201, { name, categoryId: 1n })
        expectPet(await call({ path: `/pets/${petId}` }), 200, { id: petId, name, categoryId: 1n })
      },
    }),
  ),
  {
    id: 'create.id.unique',
    profile: 'spec',
    sentence: '`id` is a unique identifier assigned by the service on creation: no two animals get the same.',
    run: async ({ call, add, herd }) => {
      const ids = new Set((await herd()).map(({ id }) => id))
      const response = await call(post(pet('"categoryId":1')))
      expect(response, !ids.has(petOf(response, 201).id), 'an `id` that no animal had')
      const more = await Promise.all(Array.from({ length: 10 }, () => add(pet('"categoryId":1'))))
      expect(response, new Set([...ids, ...more.map(({ id }) => id)]).size === ids.size + 10, 'each `id` once')
    },
  },
  {
    id: 'create.white-space',
    profile: 'spec',
    sentence: 'Request bodies are `application/json`: white space between tokens and the order of fields mean nothing.',
    run: async ({ call }) => {
      const response = await call(post(' {\n"status" :\t"sold" , "categoryId" : 1,\r\n "name":"verify" }\n'))
      expectPet(response, 201, { name: 'verify', categoryId: 1n, status: 'sold' })
    },
  },
  {
    id: 'create.escapes',
    profile: 'spec',
    sentence: 'Request bodies are `application/json`: a character may be written as an escape.',
    run: async ({ call }) => {
      const response = await call(post('{"\\u006eame":"\\u0052\\ud83d\\udc22\\"","categoryId":1}'))
      expectPet(response, 201, { name: 'R🐢"', categoryId: 1n })
    },
  },
  ...REJECTED.map(([id, what, body]) => rejection(`create.${id}`, `${INVALID}: ${what}.`, post(body), 400)),
]
