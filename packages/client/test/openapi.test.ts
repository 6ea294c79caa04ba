import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PACKAGE, run } from './support/project.ts'

const directory = await mkdtemp(join(tmpdir(), 'petstore-generate-'))
after(() => rm(directory, { recursive: true }))

const int64 = { type: 'integer', format: 'int64' }
const object = (properties: object) => ({ type: 'object', properties })

test('src/openapi.ts is what openapi.json says; `npm run generate` writes it again', async () => {
  const generated = await run(PACKAGE, process.execPath, ['scripts/generate.ts'])
  assert.equal(readFileSync(`${PACKAGE}src/openapi.ts`, 'utf8'), generated)
})

test('the int64 fields of a schema are found wherever they are in it, and a name may mean something else in another', async () => {
  const generated = await generate({
    Pet: object({ id: int64, age: { type: 'integer' }, version: { type: ['integer', 'null'], format: 'int64' } }),
    Order: { ...object({ id: { type: 'string' }, version: { type: 'number' } }), allOf: [object({ petId: int64 })] },
    Event: object({ data: object({ pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } }) }),
    Text: object({ text: { type: 'string' } }),
  })
  assert.equal(
    generated.slice(generated.indexOf('export const INT64')),
    "export const INT64 = {\n  Pet: ['id', 'version'],\n  Order: ['petId'],\n  Event: ['id', 'version'],\n} as const;\n",
  )
})

test('an int64 that cannot be told from another number is an error, not a lost digit', async () => {
  const nested = object({ version: int64, of: object({ version: { type: 'number' } }) })
  await assert.rejects(generate({ Pet: nested }), /`version` of Pet is both an int64 and another number/)
  const list = object({ ids: { type: 'array', items: int64 } })
  await assert.rejects(generate({ Pets: list }), /Pets contains an int64 without a name/)
})

function generate(schemas: object) {
  const document = { openapi: '3.1.0', info: { title: 'test', version: '1' }, paths: {}, components: { schemas } }
  writeFileSync(join(directory, 'openapi.json'), JSON.stringify(document))
  return run(PACKAGE, process.execPath, ['scripts/generate.ts', join(directory, 'openapi.json')])
}
