const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const, examples: [example] },
})

/** The headers of answers, by the name under which the document refers to them. */
export const HEADERS = {
  RequestId: text('Names this answer in the log. Your own Request-Id, if you sent a well-formed one.', 'b0f2c7de-1'),
  NextLink: text(
    'The address of the next page, as `rel="next"`. Absent on the last page.',
    '</v1/pets?cursor=AQAAAAAAAAAC>; rel="next"',
  ),
  Location: text('Where the new animal is.', '/v1/pets/3'),
  IdempotentReplayed: text(
    '`true` where the animal was added by an earlier call with the same Idempotency-Key.',
    'true',
  ),
  KeyExpires: text(
    'When the key ends that you call with (an HTTP-date), in its last 14 days. Ask the operator for a new one.',
    'Thu, 05 Dec 2030 00:00:00 GMT',
  ),
  WwwAuthenticate: text('What a credential must be, and what was wrong with the one sent.', 'Bearer realm="petstore"'),
  RetryAfter: text('Seconds to wait before trying again.', '1'),
  RateLimitPolicy: text(
    'The limit of the key, where it has one: `q` calls in each `w` seconds.',
    '"default";q=100;w=1',
  ),
  RateLimit: text(
    'How many calls are left, `r`, and in how many seconds there are all again, `t`.',
    '"default";r=99;t=1',
  ),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1794614400'),
  Sunset: text('When the operation goes away (RFC 8594).', 'Thu, 05 Dec 2030 00:00:00 GMT'),
  DeprecationLink: text(
    'Why it is deprecated (`rel="deprecation"`) and what to call instead (`rel="successor-version"`).',
    '</docs#get-pet>; rel="deprecation"; type="text/html", </v1/pets?id=1>; rel="successor-version"',
  ),
}

const names: Record<keyof typeof HEADERS, string> = {
  RequestId: 'Request-Id',
  NextLink: 'Link',
  Location: 'Location',
  IdempotentReplayed: 'Idempotent-Replayed',
  KeyExpires: 'Petstore-Key-Expires',
  WwwAuthenticate: 'WWW-Authenticate',
  RetryAfter: 'Retry-After',
  RateLimitPolicy: 'RateLimit-Policy',
  RateLimit: 'RateLimit',
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  DeprecationLink: 'Link',
}

/** The headers that an operation reads, beside those that all have in common. */
export const HEADER_PARAMETERS: Record<string, { schema: Record<string, unknown>; [keyword: string]: unknown }[]> = {
  createPet: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Any text of yours, as it is or as a quoted string. Whoever sends the same key again, with the same animal, within 24 hours gets the animal that was added first, and no second one: a call whose answer was lost can be repeated. Each API key has its own.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    },
  ],
}

/** Decided before a key was seen that works. */
const BEFORE_KEY = [401, 408, 431]

/** The headers of one answer, as references into the document. */
export function headersOf(operationId: string, status: number) {
  const own: (keyof typeof HEADERS)[] = ['RequestId']
  if (operationId === 'listPets' && status === 200) own.push('NextLink')
  if (status === 201) own.push('Location', 'IdempotentReplayed')
  if (status === 401 || status === 403) own.push('WwwAuthenticate')
  // Only who has shown a key that works is told of its end and its limit.
  if (!BEFORE_KEY.includes(status)) own.push('KeyExpires', 'RateLimitPolicy', 'RateLimit')
  if (status === 409 || status === 429 || status === 503) own.push('RetryAfter')
  // What could not be read as a request is answered before anyone knows which operation was meant.
  if (operationId === 'getPet' && status !== 408 && status !== 431) own.push('Deprecation', 'Sunset', 'DeprecationLink')
  return Object.fromEntries(own.map((header) => [names[header], { $ref: `#/components/headers/${header}` }]))
}
