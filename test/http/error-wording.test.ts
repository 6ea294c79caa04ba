import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDomainError } from '../../src/domain/errors.ts'
import { cursorExpired, newestCursorExpired } from '../../src/domain/events.ts'
import { createOnce } from '../../src/domain/idempotency.ts'
import { versionMismatch, versionRequired } from '../../src/domain/pet-changes.ts'
import { petNotFound } from '../../src/domain/pets.ts'
import { webhooksNotConfigured } from '../../src/domain/webhooks.ts'
import { toolError, toolMedium } from '../../src/http/mcp/errors.ts'
import { LINE_FORMATS } from '../../src/http/pets/lines.ts'
import { NewPet, PetPatch, PetStatus } from '../../src/http/pets/schemas.ts'
import { encodeCursor } from '../../src/http/wire/cursor.ts'
import { errorHeaders, toErrorBody } from '../../src/http/wire/errors.ts'
import { readIdempotencyKey } from '../../src/http/wire/idempotency.ts'
import { parseJson } from '../../src/http/wire/json.ts'
import { readCursor } from '../../src/http/wire/pagination.ts'
import { Validator } from '../../src/http/wire/validation.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { DatabaseBusy, DatabaseUnavailable, OutcomeUnknown } from '../../src/storage/postgres/failures.ts'

// One error, said in each medium: in a response, in the result of a tool, and about a line of an import.
const validator = new Validator([PetStatus])
const newPet = validator.body(NewPet)
const petPatch = validator.body(PetPatch)
const NAMES = ['name', 'categoryId', 'status']
const REQUEST_ID = 'req-1'

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  return assert.fail('nothing was thrown')
}

const withKey = (key: string) =>
  thrownBy(() => readIdempotencyKey({ headers: { 'idempotency-key': key }, rawHeaders: [] }))
const principal = { keyId: 'key_1', chainId: 'key_1' } as Parameters<typeof createOnce>[1]
const LATE = { begun: Number.NEGATIVE_INFINITY, socket: { destroyed: false } }
/** What a request that repeats a key gets. */
const withUsedKey = (outcome: 'in progress' | 'reused') =>
  thrownBy(() => createOnce(async () => ({ outcome }), principal, { key: 'k', fingerprints: ['f'], input: {} }, LATE))

const RETRY = ['retry-after', '1']
const NEXT =
  'Send `nextCursor` of the previous page with the other arguments of that page, or no `cursor` to begin again.'

interface Case {
  error: unknown
  /** Of the response, and the headers that belong to it. */
  http: string
  headers?: string[]
  /** Of the result of a tool, where it is another. */
  tool?: string
}

const CASES: Record<string, Case> = {
  'fields that are missing': {
    error: newPet({}).error,
    http: '`name` is required: a string. `categoryId` is required: an integer.',
    tool: '`name` is required: a string. `categoryId` is required: a 64-bit integer as a string of digits.',
  },
  'a change of nothing': {
    error: petPatch({}).error,
    http: 'The body must have at least one of `name`, `categoryId`, `status`.',
    tool: 'Send at least one of `name`, `categoryId`, `status`.',
  },
  'a field with a wrong value': {
    error: newPet({ name: 5, categoryId: 1 }).error,
    http: '`name` must be a string; got 5.',
  },
  'a value that reads like a sentence': {
    error: newPet({ name: 'Rex', categoryId: 1, status: '`x` is required: an integer.' }).error,
    http: '`status` must be one of available, pending, sold; got "`x` is required: an integer.".',
  },
  'a misspelled field': {
    error: newPet({ nmae: 'Rex' }).error,
    http: 'There is no field "nmae". Did you mean `name`?',
  },
  'a cursor that is none': {
    error: await thrownBy(() => readCursor('oldest', 'x')),
    http: 'The `cursor` was not issued by this service. Take it from the Link header of the previous page.',
    tool: `The \`cursor\` was not issued by this service. ${NEXT}`,
  },
  'a cursor of the opposite walk': {
    error: await thrownBy(() => readCursor('oldest', encodeCursor('newest', 2n))),
    http: 'The `cursor` continues a walk in the opposite direction. Send it with the `sort` of the page that it was taken from.',
    tool: `The \`cursor\` continues a walk in the opposite direction. ${NEXT}`,
  },
  'a cursor before the oldest event': {
    error: cursorExpired(),
    http: 'The events after this cursor are no longer in the feed: they are too old, or the store was restored. Get a new cursor with `from=now`, then read all pets again.',
    tool: 'The events after this cursor are no longer in the feed: they are too old, or the store was restored. Call again with `from` "now" and no `cursor`, then read all pets again with find_pets.',
  },
  'a cursor from before a restore': {
    error: newestCursorExpired(),
    http: 'The store was restored after this cursor was issued. Start again with the newest event: send the request without `cursor`.',
    tool: 'The store was restored after this cursor was issued. Call again without `cursor`.',
  },
  'another version': {
    error: versionMismatch(1n, 4n, [3n]),
    http: 'The pet 1 has version 4; the request is for version 3. Read the pet again, and send the version that you have read in If-Match.',
    headers: ['etag', '"4"'],
    tool: 'The pet 1 has version 4; the request is for version 3. Read the pet again with find_pets, decide again, and send the `version` that you have read.',
  },
  'four other versions': {
    error: versionMismatch(1n, 4n, [5n, 6n, 7n, 8n]),
    http: 'The pet 1 has version 4; the request is for version 5 or 6 or 7. Read the pet again, and send the version that you have read in If-Match.',
    headers: ['etag', '"4"'],
    tool: 'The pet 1 has version 4; the request is for version 5 or 6 or 7. Read the pet again with find_pets, decide again, and send the `version` that you have read.',
  },
  'a condition without a version': {
    error: versionMismatch(1n, 4n, []),
    http: 'The pet 1 has version 4, and the condition of the request matches no version. Send If-Match: "4", or no condition.',
    headers: ['etag', '"4"'],
    tool: 'The pet 1 has version 4, and the condition of the request matches no version. Read the pet again with find_pets, decide again, and send the `version` that you have read.',
  },
  'a sale taken back without a version': {
    error: versionRequired(1n),
    http: 'The pet 1 is sold. To take back a sale, send the version of the pet in If-Match; GET /v1/pets?view=full&id=1 shows it.',
  },
  'a malformed Idempotency-Key': {
    error: await withKey(''),
    http: 'Send one Idempotency-Key header with 1 to 255 printable ASCII characters, bare or as a quoted string.',
    tool: '`idempotencyKey` must have 1 to 255 printable ASCII characters.',
  },
  'an API key as Idempotency-Key': {
    error: await withKey(generateKey('live')),
    http: 'Idempotency-Key looks like an API key. Send a random value, such as a UUID; and treat that API key as leaked: ask the operator to rotate it.',
    tool: '`idempotencyKey` looks like an API key. Send a random value, such as a UUID; and treat that API key as leaked: ask the operator to rotate it.',
  },
  'a used Idempotency-Key': {
    error: await withUsedKey('reused'),
    http: 'This Idempotency-Key was used for a different body. Send that body again, or this one with a new key.',
    tool: 'This `idempotencyKey` was used with other arguments. Send those again, or these with a new key.',
  },
  'an Idempotency-Key in use': {
    error: await withUsedKey('in progress'),
    http: 'Another request with this Idempotency-Key is still running. Try again in a moment, with the same key.',
    headers: RETRY,
    tool: 'Another request with this `idempotencyKey` is still running. Try again in a moment, with the same key.',
  },
  'an outcome that is unknown': {
    error: new OutcomeUnknown('lost'),
    http: 'The connection to the database was lost during the request, so the outcome is unknown. Check whether it took effect before retrying; a request with an Idempotency-Key can be repeated safely.',
    headers: RETRY,
    tool: 'The connection to the database was lost during the request, so the outcome is unknown. Check whether it took effect before retrying; a request with an `idempotencyKey` can be repeated safely.',
  },
  'a lost database': {
    error: new DatabaseUnavailable('lost'),
    http: 'The service cannot use its database right now. Try again in a moment.',
    headers: RETRY,
  },
  'a busy database': {
    error: new DatabaseBusy('busy'),
    http: 'The service has more requests than it can handle right now. Try again in a moment.',
    headers: RETRY,
  },
  'webhooks without a secret': {
    error: webhooksNotConfigured(),
    http: 'This service has no secret to sign webhooks with. Its operator must set WEBHOOK_MASTER_SECRET.',
  },
  'a pet that does not exist': { error: petNotFound(7n), http: 'No pet has the id 7.' },
  'a failure of the service': {
    error: new TypeError('x is undefined'),
    http: 'The service failed unexpectedly. The failure is logged under the Request-Id of this response.',
    tool: `The service failed unexpectedly. The failure is logged under the request id ${REQUEST_ID}: report it.`,
  },
}

for (const [what, { error, http, headers = [], tool = http }] of Object.entries(CASES))
  test(`${what} is said in the words of each medium`, () => {
    const body = toErrorBody(error)
    assert.equal(body.message, http)
    assert.deepEqual(errorHeaders(body, toDomainError(error)), headers)
    const retryAfter = headers[0] === 'retry-after' ? { retryAfter: 1 } : {}
    assert.deepEqual(inTool(error), { ...body, message: tool, ...retryAfter })
  })

function inTool(error: unknown) {
  return toolError(toErrorBody(error, toolMedium(REQUEST_ID)))
}

/** The fault of a body, after its first words, with that of a line where it is another. */
const WHOLES: [what: string, body: string | Buffer, http: string, line?: string][] = [
  ['text', 'Rex', 'is not valid JSON: see line 1, column 1.', 'is not valid JSON: see column 1.'],
  [
    'a cut-off object',
    '{"name":"Rex"',
    'is not valid JSON: it ends too early (line 1, column 14).',
    'is not valid JSON: it ends too early (column 14).',
  ],
  ['a byte order mark', '\uFEFF{}', 'is not valid JSON: it begins with a byte order mark; remove it.'],
  ['Latin-1', Buffer.from('"\xff"', 'latin1'), 'is not valid UTF-8.'],
  ['a key named twice', '{"a":1,"a":1}', 'contains the same key twice in one object.'],
  ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`, 'is nested more than 32 levels deep.'],
  ['null', 'null', 'must be a JSON object; got null.'],
  ['a list', '[]', 'must be a JSON object; got an array.'],
  ['a number', '5.5', 'must be a JSON object; got 5.5.'],
  ['text that looks like a place', '"line 1, column 5."', 'must be a JSON object; got "line 1, column 5.".'],
]

for (const [what, text, http, line = http] of WHOLES)
  test(`${what} is rejected as a body, and as a line`, async () => {
    const body = typeof text === 'string' ? Buffer.from(text) : text
    const error = await thrownBy(() => {
      const { error: invalid } = newPet(parseJson(body, NAMES))
      throw invalid
    })
    assert.equal(toErrorBody(error).message, `The body ${http}`)
    assert.equal(LINE_FORMATS.ndjson.reader(Buffer.from('{}'))(body), `The line ${line}`)
  })

test('the place of a fault in a body of several lines has both numbers', async () => {
  const error = await thrownBy(() => parseJson(Buffer.from('{"name":\n  Rex}'), NAMES))
  assert.equal(toErrorBody(error).message, 'The body is not valid JSON: see line 2, column 3.')
})

test('a field of a line is said as that of a body', () => {
  const read = LINE_FORMATS.ndjson.reader(Buffer.from('{}'))
  assert.equal(read(Buffer.from('{"name":"Rex"}')), '`categoryId` is required: an integer.')
  assert.equal(read(Buffer.from('{"Name":"Rex"}')), 'There is no field "Name". Did you mean `name`?')
})
