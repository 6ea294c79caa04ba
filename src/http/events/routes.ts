import { cursorExpired, endOfFeed, listEvents, listHistory } from '../../domain/events.ts'
import type { Caller } from '../../lib/batch.ts'
import { encodeCursor } from '../../lib/cursor.ts'
import { authenticateAgain } from '../gate/again.ts'
import { operation } from '../operation.ts'
import type { Resource } from '../resource.ts'
import { RequestError } from '../wire/errors.ts'
import { nextLink, readCursor, UNKNOWN_CURSOR } from '../wire/pagination.ts'
import { PAGES } from './examples.ts'
import { Event, Events, ListEventsQuery } from './schemas.ts'

const DEFAULT_LIMIT = 20
const PATH = '/events'
const FROM_WITH_CURSOR = '`from` and `cursor` cannot be combined: a cursor says where the page starts.'
const ONLY_FEED =
  '`petId` cannot be combined with `from`, `wait` or `type`: it returns the whole history of a pet, from its first event that is kept.'

export const events: Resource = {
  name: 'events',
  description: 'What has changed: the feed of all events, and the history of each pet.',
  schemas: [Event, Events],

  declare(app, { context, baseUrl, admission }) {
    const url = baseUrl + PATH
    operation(app, {
      id: 'listEvents',
      method: 'GET',
      path: PATH,
      tag: 'events',
      stability: 'beta',
      scope: 'events:read',
      summary: 'List events',
      description:
        'Returns a page of the feed: every change of every pet, in one order that never changes. The `Link` header always contains the URL of the next page (`rel="next"`), also on an empty page: the feed has no end. Following these links returns every event exactly once. With `wait`, the service responds as soon as there is an event, or with an empty page when the time is over. If too many requests wait already, the empty page comes at once, with `Retry-After`: send the next request after that many seconds. With `petId`, the events are those of one pet.',
      query: ListEventsQuery,
      success: {
        status: 200,
        description: 'Success.',
        body: Events,
        headers: ['NextLink', 'RetryAfter'],
        examples: PAGES,
      },
      errors: { invalid_parameter: FROM_WITH_CURSOR, cursor_expired: cursorExpired().message },
      handler: async (request) => {
        const { limit, from, wait, type: types, petId, cursor } = request.query
        const most = limit ?? DEFAULT_LIMIT
        if (petId !== undefined) {
          if (from !== undefined || wait !== undefined || types) throw new RequestError('invalid_parameter', ONLY_FEED)
          const after = versionOf(petId, readCursor('history', cursor, 2))
          const { json, next } = await listHistory(context, { petId, after, limit: most }, request)
          return { content: json, headers: ['link', nextLink(url, { limit, petId }, next)] }
        }
        if (from !== undefined && cursor !== undefined) throw new RequestError('invalid_parameter', FROM_WITH_CURSOR)
        const after = from === 'now' ? endOfFeed(context) : placeOf(readCursor('feed', cursor, 2))
        // A request that waits takes no place from requests that do work.
        const onWait = () => admission.leave(request)
        const authenticate = (caller: Caller) => authenticateAgain(context, request, 'events:read', caller)
        const waiting = { seconds: wait ?? 0, onWait, authenticate }
        const { page, isUnwaited } = await listEvents(context, { after, limit: most, types }, waiting, request)
        const next = encodeCursor('feed', page.next.sequence, page.next.mark)
        const link = ['link', nextLink(url, { limit, wait, type: types?.join() }, next)]
        return { content: page.json, headers: isUnwaited ? [...link, 'retry-after', '1'] : link }
      },
    })
  },
}

function placeOf([sequence, mark]: bigint[] = []) {
  return sequence === undefined || mark === undefined ? undefined : { sequence, mark }
}

/** The version after which a page of this history starts. */
function versionOf(petId: bigint, [cursorPetId = petId, version = 0n]: bigint[] = []) {
  if (cursorPetId !== petId) throw new RequestError('invalid_cursor', UNKNOWN_CURSOR)
  return version
}
