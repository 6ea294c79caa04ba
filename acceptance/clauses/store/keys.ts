import type { Context } from '../../clause.ts'
import { expect, expectNoHeader, expectStatus, isObject, jsonOf, objectOf } from '../../expect.ts'
import type { Response } from '../../response.ts'
import { clause, refused } from '../../store.ts'
import { nextOf } from '../../walk.ts'

const KEYS = '/keys'
const NAMES = '/keys/names'
const STATUS = '/status'
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const STATES = ['active', 'replaced', 'expired', 'revoked']
const DATABASE_STATES = ['ok', 'lost', 'stalled', 'read_only', 'schema_outdated', 'rights_missing']

const isCount = (value: unknown): value is bigint => typeof value === 'bigint' && value >= 0n
const isMomentOrNull = (value: unknown) => value === null || (typeof value === 'string' && DATE_TIME.test(value))

const FIELDS: [field: string, is: string, holds: (value: unknown) => boolean][] = [
  ['id', 'a string', (value) => typeof value === 'string'],
  ['name', 'a string', (value) => typeof value === 'string'],
  ['mode', 'live or test', (value) => value === 'live' || value === 'test'],
  ['scopes', 'an array', Array.isArray],
  ['state', STATES.join(' or '), (value) => typeof value === 'string' && STATES.includes(value)],
  ['expiresAt', 'a moment or null', isMomentOrNull],
  ['lastUsedAt', 'a moment or null', isMomentOrNull],
  ['openOrders', 'an integer from 0 to 100', (value) => isCount(value) && value <= 100n],
  ['openOrderLimit', 'an integer', isCount],
  ['webhooks', 'an integer', isCount],
  ['deprecatedCalls', 'an integer', isCount],
]

function listed(response: Response): Record<string, unknown>[] {
  expectStatus(response, 200)
  const body = jsonOf(response)
  expect(response, Array.isArray(body) && body.every(isObject), 'a bare JSON array of objects')
  return body
}

const idOfOwnKey = async ({ call }: Context) => String(objectOf(await call({ path: `${KEYS}/self` }))['id'])

/** Nothing that could be used in place of a key. */
function expectNoSecret(response: Response) {
  expect(response, !response.text.includes('petk_'), 'no text of a key')
  expect(response, !/[0-9a-f]{64}/.test(response.text), 'no hash')
}

const BAD: [id: string, query: string, code: string][] = [
  ['limit.zero', 'limit=0', 'invalid_parameter'],
  ['limit.above', 'limit=101', 'invalid_parameter'],
  ['limit.word', 'limit=x', 'invalid_parameter'],
  ['limit.twice', 'limit=1&limit=1', 'invalid_parameter'],
  ['cursor.empty', 'cursor=', 'invalid_cursor'],
  ['cursor.word', 'cursor=x', 'invalid_cursor'],
  ['cursor.orders', 'cursor=AwAAAAAAAAABAAAAAAAAAAE', 'invalid_cursor'],
]

export const KEYS_LISTED = [
  ...FIELDS.map(([field, is, holds]) =>
    clause(`keys.list.${field}`, `GET ${KEYS} lists keys; \`${field}\` of each is ${is}.`, async ({ call }) => {
      const response = await call({ path: `${KEYS}?limit=100` })
      const keys = listed(response)
      expect(response, keys.length > 0 && keys.every((key) => holds(key[field])), `\`${field}\`: ${is}`)
    }),
  ),
  clause(
    'keys.list.secret',
    `GET ${KEYS} and GET ${NAMES} show neither the text of a key nor its hash.`,
    async (context) => {
      for (const path of [KEYS, NAMES]) expectNoSecret(await context.call({ path }))
    },
  ),
  clause(
    'keys.list.pages',
    `GET ${KEYS} lists the newest key first; the next page has older ones.`,
    async ({ call }) => {
      const first = await call({ path: `${KEYS}?limit=2` })
      const keys = listed(first)
      expect(first, keys.length <= 2, 'at most 2 keys')
      const next = nextOf(first)
      if (next === undefined) return
      const second = await call({ path: `${KEYS}${next}` })
      const both = [...keys, ...listed(second)]
      const times = both.map(({ createdAt }) => String(createdAt))
      expect(second, times.join() === times.toSorted().toReversed().join(), 'the newest first', times.join())
      expect(second, new Set(both.map(({ id }) => id)).size === both.length, 'no key twice')
    },
  ),
  clause('keys.list.read-only', `Keys cannot be made or changed: POST ${KEYS} is 405.`, async ({ call }) => {
    expectStatus(await call({ method: 'POST', path: KEYS }), 405)
  }),
  ...BAD.map(([id, query, code]) =>
    refused(`keys.list.${id}`, `GET ${KEYS}?${query} is 400 ${code}.`, { path: `${KEYS}?${query}` }, 400, code),
  ),
  clause(
    'keys.names',
    `GET ${NAMES} has the id and the name of each key, at most 1,000, and nothing more.`,
    async (context) => {
      const response = await context.call({ path: NAMES })
      const names = listed(response)
      expect(response, names.length <= 1_000, 'at most 1,000 names')
      const isName = (key: Record<string, unknown>) =>
        Object.keys(key).join() === 'id,name' && typeof key['id'] === 'string' && typeof key['name'] === 'string'
      expect(response, names.every(isName), '`id` and `name`, two strings')
      if (names.length === 1_000) return
      const own = await idOfOwnKey(context)
      expect(
        response,
        names.some(({ id }) => id === own),
        `the key ${own} of this run`,
      )
    },
  ),
  clause(
    'keys.names.unchanged',
    `GET ${NAMES} has a strong ETag; with it in \`If-None-Match\` the response is 304, without a body.`,
    async ({ call }) => {
      const response = await call({ path: NAMES })
      expectStatus(response, 200)
      const tag = response.headers.get('etag') ?? ''
      expect(response, /^"[!#-~]+"$/.test(tag), 'a strong ETag', tag || 'none')
      for (const method of ['GET', 'HEAD'])
        for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
          const again = await call({ method, path: NAMES, headers: { 'If-None-Match': known } })
          // Another client may have made a key, or rotated one.
          const now = again.headers.get('etag')
          if (now !== undefined && now !== tag) return
          expectStatus(again, 304)
          expect(again, again.text === '', 'no body')
          expectNoHeader(again, 'Content-Type')
        }
      for (const other of ['"other"', `"${tag.slice(1, -2)}"`, 'other']) {
        const again = await call({ path: NAMES, headers: { 'If-None-Match': other } })
        expectStatus(again, 200)
        expect(again, again.text.length > 0, 'the names')
      }
    },
  ),
  clause(
    'status',
    `GET ${STATUS} says what runs, since when, and whether the database and the feed work.`,
    async ({ call }) => {
      const response = await call({ path: STATUS })
      expectStatus(response, 200)
      const { version, commit, startedAt, database, feed } = objectOf(response)
      for (const text of [version, commit])
        expect(response, typeof text === 'string', '`version` and `commit`, strings')
      expect(response, isMomentOrNull(startedAt) && startedAt !== null, '`startedAt`, a moment')
      const state = isObject(database) ? String(database['state']) : ''
      expect(response, DATABASE_STATES.includes(state), `\`database.state\`: ${DATABASE_STATES.join(' or ')}`, state)
      expect(response, isObject(feed) && isCount(feed['lagMs']), '`feed.lagMs`, an integer')
      expectNoSecret(response)
    },
  ),
  clause('status.counts', `GET ${STATUS} counts webhooks by state, and keys that expire soon.`, async ({ call }) => {
    const response = await call({ path: STATUS })
    const { database, search, webhooks, expiringKeys } = objectOf(response)
    if (!isObject(database) || database['state'] !== 'ok') return
    const found = isObject(search) ? search['foundPercent'] : undefined
    const isWhole = isObject(search) && search['isComplete'] === (found === 100n)
    expect(response, isCount(found) && isWhole, '`search.foundPercent`, which is 100 if it is complete')
    const counts = isObject(webhooks) ? webhooks : {}
    for (const name of ['active', 'paused', 'disabled', 'undelivered', 'behind'])
      expect(response, isCount(counts[name]), `\`webhooks.${name}\`, an integer`)
    expect(response, isCount(expiringKeys), '`expiringKeys`, an integer')
  }),
]
