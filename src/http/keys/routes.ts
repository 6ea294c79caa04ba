import { listKeyNames, listKeyPage } from '../../domain/keys.ts'
import { keyIdOfNumbers, numbersOfKeyId } from '../../lib/ids/key-id.ts'
import { operation } from '../operation.ts'
import type { Resource } from '../resource.ts'
import { encodeCursor } from '../wire/cursor.ts'
import { RequestError } from '../wire/errors.ts'
import { keyBody } from '../wire/key-body.ts'
import { nextLink, readCursor } from '../wire/pagination.ts'
import { EXAMPLES, NAMES, PAGES } from './examples.ts'
import { Key, KeyName, KeyNames, ListedKey, ListedKeys, ListKeysQuery } from './schemas.ts'

const DEFAULT_LIMIT = 20
const PATH = '/keys'

const COMMON = { tag: 'keys', stability: 'beta' } as const

export const keys: Resource = {
  name: 'keys',
  description: 'API keys. They are made and changed by the operator, with `petstore keys`.',
  schemas: [Key, ListedKey, ListedKeys, KeyName, KeyNames],

  declare(app, { baseUrl, rateLimits }) {
    operation(app, {
      ...COMMON,
      id: 'listKeys',
      method: 'GET',
      path: PATH,
      scope: 'keys:read',
      summary: 'List keys',
      description:
        'Returns a page of all keys, newest first, also of those that have expired or were revoked; never their text. If there are more, the `Link` header contains the URL of the next page (`rel="next"`). Following these links returns every key that exists for the whole walk exactly once.',
      query: ListKeysQuery,
      success: { status: 200, description: 'Success.', body: ListedKeys, headers: ['NextLink'], examples: PAGES },
      errors: { invalid_parameter: '`limit` must be an integer from 1 to 100; got 0.' },
      handler: async (request) => {
        const { limit, cursor } = request.query
        const wanted = { after: keyIdOf(cursor), limit: limit ?? DEFAULT_LIMIT }
        const page = await listKeyPage(request.store, wanted, request)
        const next = page.next && encodeCursor('keys', ...numbersOfKeyId(page.next))
        const headers = next === undefined ? [] : ['link', nextLink(baseUrl + PATH, { limit }, next)]
        return { content: JSON.stringify(page.keys.map(listedKeyBody)), headers }
      },
    })

    operation(app, {
      ...COMMON,
      id: 'getOwnKey',
      method: 'GET',
      path: `${PATH}/self`,
      summary: 'Show your key',
      description: 'Returns the scopes, expiry and rate limit of the key that makes the request. Needs no scope.',
      success: { status: 200, description: 'The key.', body: Key, examples: EXAMPLES },
      handler: ({ principal }) => ({
        content: JSON.stringify(keyBody(principal.key, rateLimits.limitOf(principal))),
      }),
    })

    operation(app, {
      ...COMMON,
      id: 'listKeyNames',
      method: 'GET',
      path: `${PATH}/names`,
      scope: 'events:read',
      summary: 'List the names of keys',
      description:
        'Returns the names of the 1,000 newest keys, newest first, also of those that have expired or were revoked: they are for showing who did what, where events, orders and webhooks have ids of keys. A client that has them sends their `ETag` in `If-None-Match`, and gets 304 as long as they are the same.',
      revalidated: true,
      success: { status: 200, description: 'Success.', body: KeyNames, examples: NAMES },
      handler: async (request) => ({ content: JSON.stringify(await listKeyNames(request.store, request)) }),
    })

    function listedKeyBody(key: Awaited<ReturnType<typeof listKeyPage>>['keys'][number]) {
      const { state, lastUsedAt, openOrderLimit, placedOrders, webhooks, deprecatedCalls } = key
      return {
        ...keyBody(key, rateLimits.limitOf({ rateLimit: key.rateLimit ?? undefined })),
        state,
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
        openOrders: placedOrders,
        openOrderLimit,
        webhooks,
        deprecatedCalls: JSON.rawJSON(String(deprecatedCalls)),
      }
    }
  },
}

/** The key that a cursor stands on. */
function keyIdOf(cursor: string | undefined) {
  const [first, second] = readCursor('keys', cursor, 2) ?? []
  if (first === undefined || second === undefined) return undefined
  const id = keyIdOfNumbers(first, second)
  if (id === undefined) throw new RequestError('invalid_cursor', { kind: 'unknown cursor' })
  return id
}
