export interface ResponseHeader {
  name: string
  description: string
  example: string
  stability?: 'beta'
}

/** The response headers, by the names under which the document lists them. */
export const RESPONSE_HEADERS = {
  RequestId: {
    name: 'Request-Id',
    description: 'Identifies the request in the logs. Your own Request-Id, if you sent a well-formed one.',
    example: 'b0f2c7de-1',
  },
  NextLink: {
    name: 'Link',
    description: 'The URL of the next page, as `rel="next"`. Absent on the last page.',
    example: '</v1/pets?cursor=AQAAAAAAAAAC>; rel="next"',
  },
  SearchIncomplete: {
    name: 'Petstore-Search-Incomplete',
    description:
      'While the words of names are being made: how many of 100 pets are in the search already. Absent when all are.',
    example: '43',
    stability: 'beta',
  },
  Location: { name: 'Location', description: 'The URL of the new resource.', example: '/v1/pets/3' },
  IdempotentReplayed: {
    name: 'Idempotent-Replayed',
    description: '`true` if an earlier request with the same Idempotency-Key created it.',
    example: 'true',
  },
  ETag: { name: 'ETag', description: 'The version of the pet or the category, in quotes.', example: '"2"' },
  ContentETag: {
    name: 'ETag',
    description: 'Identifies this content: send it in `If-None-Match` to get 304 as long as it is the same.',
    example: '"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"',
  },
  AcceptPatch: {
    name: 'Accept-Patch',
    description: 'The media types that a `PATCH` may have.',
    example: 'application/merge-patch+json, application/json',
  },
  KeyExpires: {
    name: 'Petstore-Key-Expires',
    description: 'When your key expires (an HTTP-date). Sent in its last 14 days. Ask the operator for a new one.',
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  Mode: {
    name: 'Petstore-Mode',
    description:
      '`test` if your key is one of a sandbox: what it reads and changes is apart from all that live keys see. Absent where there is no sandbox, and for live keys.',
    example: 'test',
    stability: 'beta',
  },
  WwwAuthenticate: {
    name: 'WWW-Authenticate',
    description: 'The expected credential, and what was wrong with the one sent.',
    example: 'Bearer realm="petstore"',
  },
  RetryAfter: { name: 'Retry-After', description: 'How many seconds to wait before trying again.', example: '1' },
  RateLimitPolicy: {
    name: 'RateLimit-Policy',
    description: 'The rate limit of the key, if it has one: `q` requests in each `w` seconds.',
    example: '"default";q=100;w=1',
  },
  RateLimit: {
    name: 'RateLimit',
    description: 'How many requests are left, `r`, and in how many seconds the limit resets, `t`.',
    example: '"default";r=99;t=1',
  },
  Deprecation: {
    name: 'Deprecation',
    description: 'Since when the operation is deprecated (RFC 9745).',
    example: '@1794614400',
  },
  Sunset: {
    name: 'Sunset',
    description: 'When the operation will be removed (RFC 8594).',
    example: 'Thu, 05 Dec 2030 00:00:00 GMT',
  },
  DeprecationLink: {
    name: 'Link',
    description:
      'The documentation of the deprecation (`rel="deprecation"`) and the replacement (`rel="successor-version"`).',
    example: '</docs#get-pet>; rel="deprecation"; type="text/html", </v1/pets?id=1>; rel="successor-version"',
  },
} satisfies Record<string, ResponseHeader>

export type HeaderName = keyof typeof RESPONSE_HEADERS
