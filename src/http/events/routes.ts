import { cursorExpired, listEvents, listNewest } from '../../domain/events.ts'
import type { Caller } from '../../lib/batch.ts'
import { parseKeyId } from '../../lib/ids/key-id.ts'
import { eventSource, type StoreAddress } from '../../lib/ids/store-address.ts'
import { INT64_MAX } from '../../lib/int64.ts'
import { authenticateAgain } from '../gate/again.ts'
import { operation } from '../operation.ts'
import { eventPagePrinter } from '../print/event.ts'
import type { Resource } from '../resource.ts'
import { encodeCursor, HISTORY_WALKS } from '../wire/cursor.ts'
import { echo } from '../wire/echo.ts'
import { RequestError, toErrorBody } from '../wire/errors.ts'
import { nextLink, readCursor } from '../wire/pagination.ts'
import { readTime } from '../wire/time.ts'
import { PAGES } from './examples.ts'
import { Event, Events, ListEventsQuery } from './schemas.ts'

const DEFAULT_LIMIT = 20
const PATH = '/events'
const WORDS = ['oldest', 'now']
const FROM_WITH_CURSOR = '`from` and `cursor` cannot be combined: a cursor says where the page starts.'
const ONLY_FEED =
  '`petId` cannot be combined with `from`, `wait`, `type` or `keyId`: it returns the whole history of a pet, from its first event that is kept, or from its newest.'
const ONLY_OLDEST =
  '`sort=newest` cannot be combined with `from` or `wait`: it starts with the newest event, and its pages lead back to the oldest. Leave `sort` out to start at a time, or to wait for the next event.'

export const events: Resource = {
  name: 'events',
  description: 'What has changed: the feed of all events, and the history of each pet.',
  schemas: [Event, Events],

  declare(app, { baseUrl, admission }) {
    const url = baseUrl + PATH
    const printFor = (address: StoreAddress) => eventPagePrinter(eventSource(baseUrl, address))
    const printers: Record<StoreAddress, ReturnType<typeof printFor>> = {
      live: printFor('live'),
      test: printFor('test'),
    }
    operation(app, {
      id: 'listEvents',
      method: 'GET',
      path: PATH,
      tag: 'events',
      scope: 'events:read',
      summary: 'List events',
      description:
        'Returns a page of the feed: every change of every pet, in one order that never changes. The `Link` header always contains the URL of the next page (`rel="next"`), also on an empty page: the feed has no end. Following these links returns every event exactly once. With `wait`, the service responds as soon as there is an event, or with an empty page when the time is over. If too many requests wait already, the empty page comes at once, with `Retry-After`: send the next request after that many seconds. With `keyId`, they are the changes that one key made. With `petId`, the events are those of one pet. With `sort=newest`, pages start with the newest event and lead back to the oldest; the last one has no `Link`.',
      query: ListEventsQuery,
      success: {
        status: 200,
        description: 'Success.',
        body: Events,
        headers: ['NextLink', 'RetryAfter'],
        examples: PAGES,
      },
      errors: { invalid_parameter: FROM_WITH_CURSOR, cursor_expired: toErrorBody(cursorExpired()).message },
      handler: async (request) => {
        const { limit = DEFAULT_LIMIT, sort, from, wait, type: types, keyId, petId, cursor } = request.query
        const print = printers[request.store.address]
        const parameters = { limit: request.query.limit, sort, wait, type: types?.join(), keyId }
        if (petId !== undefined && (from !== undefined || wait !== undefined || types || keyId !== undefined))
          throw new RequestError('invalid_parameter', ONLY_FEED)
        if (keyId !== undefined && parseKeyId(keyId) === undefined) throw malformedKeyId(keyId)
        if (sort === 'newest' && (from !== undefined || wait !== undefined))
          throw new RequestError('invalid_parameter', ONLY_OLDEST)
        if (petId !== undefined) {
          const after = versionOf(petId, sort ?? 'oldest', cursor)
          const page = await request.store.histories({ petId, after, limit, sort }, request)
          const walk = HISTORY_WALKS[sort ?? 'oldest']
          const next = page.next === undefined ? undefined : encodeCursor(walk, petId, page.next)
          return { content: print(page), headers: linkTo(url, { ...parameters, petId }, next) }
        }
        if (sort === 'newest') {
          const before = positionOf(readCursor('newestEvents', cursor, 2))
          const page = await listNewest(request.store, { before, limit, types, keyId }, request)
          const next = page.next && encodeCursor('newestEvents', page.next.sequence, page.next.pageToken)
          return { content: print(page), headers: linkTo(url, parameters, next) }
        }
        if (from !== undefined && cursor !== undefined) throw new RequestError('invalid_parameter', FROM_WITH_CURSOR)
        const since = from === undefined || WORDS.includes(from) ? undefined : readTime('from', from, 'oldest, now or ')
        const after = from === 'now' ? request.store.feed.end : positionOf(readCursor('feed', cursor, 2))
        // A request that waits takes no place from requests that do work.
        const onWait = () => {
          admission.leave(request)
          request.tool?.onWait?.()
        }
        const authenticate = (caller: Caller) => authenticateAgain(request, 'events:read', caller)
        const waiting = { seconds: wait ?? 0, onWait, authenticate }
        const { page, isUnwaited } = await listEvents(
          request.store,
          { after, since, limit, types, keyId },
          waiting,
          request,
        )
        const next = encodeCursor('feed', page.next.sequence, page.next.pageToken)
        const link = linkTo(url, parameters, next)
        const headers = isUnwaited ? [...link, 'retry-after', '1'] : link
        const content = print(page)
        if (from !== 'now' || !after) return { content, headers }
        const again = { from: undefined, cursor: encodeCursor('feed', after.sequence, after.pageToken) }
        return { content, headers, again }
      },
    })
  },
}

function positionOf([sequence, pageToken]: bigint[] = []) {
  return sequence === undefined || pageToken === undefined ? undefined : { sequence, pageToken }
}

/** The version that a page of this history starts after, or before if the newest come first. */
function versionOf(petId: bigint, sort: keyof typeof HISTORY_WALKS, cursor: string | undefined) {
  const [cursorPetId = petId, version = sort === 'newest' ? INT64_MAX : 0n] =
    readCursor(HISTORY_WALKS[sort], cursor, 2) ?? []
  if (cursorPetId !== petId) throw new RequestError('invalid_cursor', { kind: 'unknown cursor' })
  return version
}

function malformedKeyId(keyId: string) {
  return new RequestError(
    'invalid_parameter',
    `\`keyId\` must be the id of a key, such as key_0a1B2c3D4e5F6g7H; got ${echo(keyId)}.`,
  )
}

function linkTo(url: string, parameters: Parameters<typeof nextLink>[1], next: string | undefined) {
  return next === undefined ? [] : ['link', nextLink(url, parameters, next)]
}
