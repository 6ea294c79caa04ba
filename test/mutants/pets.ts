import type { Mutant } from './mutant.ts'

/** One fault each, of the kinds that services really have. */
export const PET_MUTANTS: Mutant[] = [
  {
    name: 'wrong-status',
    what: 'a new pet returns 200',
    file: 'src/http/pets/routes.ts',
    edits: [['        status: 201,', '        status: 200,']],
    kill: 'create.ok',
  },
  {
    name: 'error-status',
    what: 'an invalid body returns 422',
    file: 'src/http/wire/error-codes.ts',
    edits: [['invalid_body: {\n    status: 400', 'invalid_body: {\n    status: 422']],
    kill: 'create.name.missing',
  },
  {
    name: 'coercion',
    what: 'a string of digits is taken for a number',
    file: 'src/http/wire/validation.ts',
    edits: [
      [
        "if (typeof value === 'bigint') return value",
        "if (typeof value === 'bigint') return value\n  if (typeof value === 'string' && /^[0-9]+$/.test(value)) return BigInt(value)",
      ],
    ],
    kill: 'create.category-id.digits',
  },
  {
    name: 'limit-off-by-one',
    what: 'a page holds one pet too many',
    file: 'src/storage/pets/pages.ts',
    edits: [['pets.slice(0, limit)', 'pets.slice(0, limit + 1)']],
    kill: 'list.limit.minimum',
  },
  {
    name: 'limit-maximum',
    what: 'a limit of 101 is accepted',
    file: 'src/http/pets/schemas.ts',
    edits: [['maximum: 100', 'maximum: 101']],
    kill: 'list.limit.refused.above',
  },
  {
    name: 'default-limit',
    what: 'the default page has 25 pets',
    file: 'src/http/pets/schemas.ts',
    edits: [['DEFAULT_LIMIT = 20', 'DEFAULT_LIMIT = 25']],
    kill: 'list.limit.default',
  },
  {
    name: 'lost-digits-in',
    what: 'large numbers in a body go through a double',
    file: 'src/http/wire/json.ts',
    edits: [['const EXACT_DIGITS = 15', 'const EXACT_DIGITS = 18']],
    kill: 'int64.create.9007199254740993',
  },
  {
    name: 'lost-digits-out',
    what: 'large numbers from the database go through a double',
    file: 'src/storage/postgres/columns.ts',
    edits: [
      [
        "throw new Error('an integer is missing in a list')\n  return values",
        "throw new Error('an integer is missing in a list')\n  return values.map((digits) => (Math.abs(Number(digits)) < 9e18 ? String(BigInt(Number(digits))) : digits))",
      ],
    ],
    kill: 'int64.list.9007199254740993',
  },
  {
    name: 'filter-ignored',
    what: 'the status filter does nothing',
    file: 'src/http/pets/routes.ts',
    edits: [['{ status, categoryId, ids: id }', '{ categoryId, ids: id, ...(status && {}) }']],
    kill: 'list.status.sold.only',
  },
  {
    name: 'filter-not-equal',
    what: 'pets without a status count as sold',
    file: 'src/storage/pets/pages.ts',
    edits: [["` and status = '", "` and coalesce(status, 'sold') = '"]],
    kill: 'list.status.none',
  },
  {
    name: 'default-status',
    what: 'a pet without a status becomes available',
    file: 'src/storage/pets/pets.ts',
    edits: [['status = null', "status = 'available'"]],
    kill: 'create.status.absent',
  },
  {
    name: 'missing-header',
    what: 'no Request-Id',
    file: 'src/http/reply.ts',
    edits: [["[...common, 'request-id', requestId, ", '[...common, ']],
    kill: 'headers.request-id',
  },
  {
    name: 'missing-challenge',
    what: '401 without WWW-Authenticate',
    file: 'src/http/wire/errors.ts',
    edits: [["return ['www-authenticate', CHALLENGE]", 'return []']],
    kill: 'authentication.code.missing',
  },
  {
    name: 'missing-deprecation',
    what: 'getPet sends no deprecation headers',
    file: 'src/http/reply.ts',
    edits: [['operation?.deprecated ? (deprecations.get(operation.id)?.(request) ?? []) : []', '[]']],
    kill: 'deprecation.found',
  },
  {
    name: 'route-before-key',
    what: '401 comes after 404',
    file: 'src/http/gate/gate.ts',
    edits: [
      ['const token = tokenOf(request.raw)', 'rejectUnrouted(request, reply)\n    const token = tokenOf(request.raw)'],
    ],
    kill: 'order.no-key.route',
  },
  {
    name: 'no-key-by-path',
    what: 'a path spelled in escapes needs no key',
    file: 'src/http/gate/gate.ts',
    edits: [
      [
        'const token = tokenOf(request.raw)',
        "if (!request.raw.url?.startsWith('/v1')) return done()\n    const token = tokenOf(request.raw)",
      ],
    ],
    kill: 'routes.spelling',
  },
  {
    name: 'key-by-path',
    what: 'a path spelled in escapes accepts any key',
    file: 'src/http/gate/gate.ts',
    edits: [
      [
        'const principal = authenticate',
        "if (!request.raw.url?.startsWith('/v1')) return done()\n    const principal = authenticate",
      ],
    ],
    kill: 'authentication.escaped',
  },
  {
    name: 'exposed-key',
    what: 'a key in the URL is accepted',
    file: 'src/lib/ids/key-format.ts',
    edits: [["if (!text.includes('petk_')) return NONE", 'if (text.length >= 0) return NONE']],
    kill: 'keys.exposed',
  },
  {
    name: 'cut-name',
    what: 'a name that is too long is cut',
    file: 'src/http/wire/validation.ts',
    edits: [
      [
        'if (!isObject(body))',
        "if (body !== null && typeof body === 'object' && 'name' in body && typeof body.name === 'string' && body.name.length > 255) body.name = body.name.slice(0, 255)\n    if (!isObject(body))",
      ],
    ],
    kill: 'create.invalid.name-256',
  },
  {
    name: 'leaking-row',
    what: 'a rejected pet is stored anyway',
    file: 'src/http/operation.ts',
    edits: [
      ['config: { operation: declared },', 'config: { operation: declared },\n    attachValidation: true,'],
      [
        'reply.respond(status, content',
        'if (reply.request.validationError) throw reply.request.validationError\n  reply.respond(status, content',
      ],
    ],
    kill: 'create.refused.leaves-nothing',
  },
  {
    name: 'key-ignored',
    what: 'a create is repeated although its Idempotency-Key was used',
    file: 'src/http/operation.ts',
    edits: [['readIdempotencyKey(head)', 'readIdempotencyKey(head) && undefined']],
    kill: 'idempotency.replay.same',
  },
  {
    name: 'fingerprint-ignored',
    what: 'another pet with a used Idempotency-Key replays the first response',
    file: 'src/storage/idempotency/inserts.ts',
    edits: [['const isSame = fingerprint ===', 'const isSame = true || fingerprint ===']],
    kill: 'idempotency.other',
  },
  {
    name: 'duplicate-in-walk',
    what: 'the last pet of a page begins the next one',
    file: 'src/storage/pets/pages.ts',
    edits: [["'<' : '>'} page.after", "'<' : '>='} page.after"]],
    kill: 'pagination.walk',
  },
  {
    name: 'skip-in-walk',
    what: 'a walk skips a pet between pages',
    file: 'src/storage/pets/pages.ts',
    edits: [['next: BigInt(last.id) }', 'next: BigInt(last.id) + 1n }']],
    kill: 'pagination.walk',
  },
  {
    name: 'unsanitised-name',
    what: 'control characters are accepted',
    file: 'src/http/wire/schemas.ts',
    edits: [['[^\\\\p{Cc}\\\\p{Cs}]*$', '.*$']],
    kill: 'create.invalid.name-delete',
  },
  {
    name: 'trimmed-name',
    what: 'names are trimmed',
    file: 'src/http/pets/routes.ts',
    edits: [['const newPet = { name,', 'const newPet = { name: name.trim(),']],
    kill: 'create.name.kept.spaces',
  },
  {
    name: 'duplicate-keys',
    what: 'the last of two equal keys wins',
    file: 'src/http/wire/json.ts',
    edits: [['countKeys(value, colons) < colons', 'countKeys(value, colons) < 0']],
    kill: 'create.json.twice',
  },
  {
    name: 'wrong-id',
    what: 'the response has the wrong id',
    file: 'src/storage/pets/pets.ts',
    edits: [['id: valueAt(ids, i)', 'id: valueAt(ids, i) + 1n']],
    kill: 'create.name.ascii',
  },
  {
    name: 'leading-zero',
    what: '/pets/01 is pet 1',
    file: 'src/lib/int64.ts',
    edits: [['^(?:0|-?[1-9][0-9]{0,18})$', '^(?:-?0*[0-9]{1,19})$']],
    kill: 'get.no-leading-zero',
  },
  {
    name: 'message-in-error',
    what: 'an error has a fourth member',
    file: 'src/http/wire/errors.ts',
    edits: [
      [
        'return { code, message, status: ERRORS[code].status }',
        "return { code, message, status: ERRORS[code].status, ...{ hint: 'see the docs' } }",
      ],
    ],
    kill: 'get.code.0',
  },
]
