const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const, examples: [example] },
})

/** The response headers, by the name under which the document refers to them. */
export const HEADERS = {
  RequestId: text(
    'Identifies the request in the logs. Your own Request-Id, if you sent a well-formed one.',
    'b0f2c7de-1',
  ),
  NextLink: text(
    'The URL of the next page, as `rel="next"`. Absent on the last page.',
    '</v1/pets?cursor=AQAAAAAAAAAC>; rel="next"',
  ),
  Location: text('The URL of the new animal.', '/v1/pets/3'),
  IdempotentReplayed: text(
    '`true` if the animal was added by an earlier request with the same Idempotency-Key.',
    'true',
  ),
  KeyExpires: text(
    'When your key expires (an HTTP-date). Sent in its last 14 days. Ask the operator for a new one.',
    'Thu, 05 Dec 2030 00:00:00 GMT',
  ),
  WwwAuthenticate: text('The expected credential, and what was wrong with the one sent.', 'Bearer realm="petstore"'),
  RetryAfter: text('How many seconds to wait before trying again.', '1'),
  RateLimitPolicy: text(
    'The rate limit of the key, if it has one: `q` requests in each `w` seconds.',
    '"default";q=100;w=1',
  ),
  RateLimit: text(
    'How many requests are left, `r`, and in how many seconds the limit resets, `t`.',
    '"default";r=99;t=1',
  ),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1794614400'),
  Sunset: text('When the operation will be removed (RFC 8594).', 'Thu, 05 Dec 2030 00:00:00 GMT'),
  DeprecationLink: text(
    'The documentation of the deprecation (`rel="deprecation"`) and the replacement (`rel="successor-version"`).',
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

/** The headers that an operation reads, besides those common to all. */
export const HEADER_PARAMETERS: Record<string, { schema: Record<string, unknown>; [keyword: string]: unknown }[]> = {
  createPet: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Any text of your choice, bare or as a quoted string. The same key with the same animal, sent again within 24 hours, returns the animal that was added first and adds no second one, so a request whose response was lost can be retried. Separate for each API key.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    },
  ],
}

/** Sent before a valid key was seen. */
const BEFORE_KEY = [401, 408, 431]

/** The headers of one response, as references into the document. */
export function headersOf(operationId: string, status: number) {
  const own: (keyof typeof HEADERS)[] = ['RequestId']
  if (operationId === 'listPets' && status === 200) own.push('NextLink')
  if (status === 201) own.push('Location', 'IdempotentReplayed')
  if (status === 401 || status === 403) own.push('WwwAuthenticate')
  // Only callers with a valid key see its expiry and its limit.
  if (!BEFORE_KEY.includes(status)) own.push('KeyExpires', 'RateLimitPolicy', 'RateLimit')
  if (status === 409 || status === 429 || status === 503) own.push('RetryAfter')
  // A request that cannot be parsed is rejected before its operation is known.
  if (operationId === 'getPet' && status !== 408 && status !== 431) own.push('Deprecation', 'Sunset', 'DeprecationLink')
  return Object.fromEntries(own.map((header) => [names[header], { $ref: `#/components/headers/${header}` }]))
}
