import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseExact, postJson, startApp } from '../support/app.ts'
import { insertPets } from '../support/factories.ts'
import { WITH_WEBHOOKS } from '../support/webhook-errors.ts'

// The example of every parameter of every operation, as a reader of the document copies it.

interface Operation {
  operationId: string
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required: boolean; example?: unknown }[]
  requestBody?: { content: Record<string, { examples: Record<string, { value: object }> }> }
}

const { paths } = parseExact(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const { call, pool } = await startApp(WITH_WEBHOOKS)
await insertPets(pool, ['available'])

/** What a parameter cannot be sent without. */
const NEEDS: Record<string, string> = {
  'listOrders from': 'status=completed&sort=closed',
  'listOrders to': 'status=completed&sort=closed',
  'countOrders from': 'status=completed',
  'countOrders to': 'status=completed',
}
/** The keys that the examples name. */
const KEY_IDS = ['key_0a1B2c3D4e5F6g7H']
await pool.query(
  `insert into api_keys (id, name, mode, hash, scopes) select id, 'example', 'live', id, '{}' from unnest($1::text[]) as id`,
  [KEY_IDS],
)

for (const [template, methods] of Object.entries(paths))
  for (const [method, operation] of Object.entries(methods)) {
    const { operationId, parameters = [], requestBody } = operation
    const path = template.replaceAll(/{(\w+)}/g, (_, name) =>
      String(parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example),
    )
    const [[type, content] = []] = Object.entries(requestBody?.content ?? {})
    const [body] = Object.values(content?.examples ?? {})
    for (const { name, in: place, example } of parameters)
      test(`the example of ${name} of ${operationId} is accepted`, async () => {
        assert.notEqual(example, undefined)
        const sent = parameters.filter((each) => each.in === 'query' && (each.required || each.name === name))
        const query = sent.map((each) => `${each.name}=${encodeURIComponent(String(each.example))}`)
        const headers = {
          ...(type && { 'content-type': type }),
          ...(place === 'header' && { [name]: String(example) }),
        }
        const { status, text } = await call(`/v1${path}?${[...query, NEEDS[`${operationId} ${name}`]].join('&')}`, {
          ...(body ? postJson(body.value, headers) : { headers }),
          method: method.toUpperCase(),
        })
        // What it names may not be there, or be in another state.
        assert.ok(status < 400 || [404, 409, 410, 412].includes(status), `${status} ${text}`)
      })
  }
