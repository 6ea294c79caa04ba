import type { Connection } from './connection.ts'
import { type EventPage, type FollowOptions, type From, follow, PATH, pageOf, textOf } from './feed.ts'
import { digits } from './json.ts'
import { EVENT, type EventType, type PetstoreEvent } from './kinds.ts'
import { createList } from './lists.ts'
import type { CallOptions } from './options.ts'

export interface HistoryOptions extends CallOptions {
  /** The size of a page, 1 to 100. Iterating uses 100 by default. */
  limit?: number | undefined
}

export interface EventListOptions extends HistoryOptions {
  /** Where the list begins: at the `oldest` event that is kept, which is the default, `now`, after the newest, or since a time. */
  from?: From | undefined
  /** Only events of these types, up to 8. A page may then be empty although there are more. */
  types?: readonly EventType[] | undefined
  /** Only changes that the key with this id made. A page may then be empty although there are more. Beta: it may still change. */
  keyId?: string | undefined
}

export interface NewestOptions extends HistoryOptions {
  /** Only events of these types, up to 8. A page may then be short or empty although there are more. Not together with `petId`. */
  types?: readonly EventType[] | undefined
  /**
   * Only changes that the key with this id made. A page may then be short or empty although there are more. Not together with `petId`. Beta:
   * it may still change.
   */
  keyId?: string | undefined
  /** Only events of this pet. */
  petId?: bigint | undefined
}

export interface NewestPage {
  /** Newest first. */
  events: PetstoreEvent[]
  /** Where the next page begins; undefined after the oldest event. */
  next: string | undefined
}

/** Events from the newest to the oldest, page after page: `for await (const event of list)`. */
export interface NewestList extends AsyncIterable<PetstoreEvent> {
  /** One page: the first, or the one that `next` of another page points to. */
  page(cursor?: string): Promise<NewestPage>
}

/** Every event so far, page after page: `for await (const event of list)`. */
export interface EventList extends AsyncIterable<PetstoreEvent> {
  /** One page: the first, or the one that `next` of another page points to. */
  page(cursor?: string): Promise<EventPage>
}

export interface Events {
  /** The feed: every change of every pet, in one order that never changes. Iterating ends where the feed ends for now. */
  list(options?: EventListOptions): EventList
  /** The feed from its end: the newest event first, back to the oldest that is kept. */
  newest(options?: NewestOptions): NewestList
  /** The events of one pet by version, also of a deleted one. */
  history(petId: bigint, options?: HistoryOptions): EventList
  /**
   * The feed, page by page and without an end: it waits for the next events, and for a service that cannot be reached. The caller
   * leaves the loop, or aborts `signal`, which rejects with its reason.
   *
   * Handle the events of a page, store its `next`, and pass that as `cursor` to continue in another process: nothing is missed or
   * repeated. If the events after it are no longer kept, it rejects with the code `cursor_expired`.
   */
  follow(options?: FollowOptions): AsyncGenerator<EventPage, void, void>
}

export function createEvents(connection: Connection): Events {
  const list = { path: PATH, kind: EVENT, pageOf }
  return {
    list: ({ limit, from, types, keyId, signal } = {}) =>
      createList(connection, {
        ...list,
        query: { limit, type: types?.join(), keyId },
        first: { from: textOf(from) },
        signal,
      }),
    newest: ({ limit, types, keyId, petId, signal } = {}) => {
      const pet = petId === undefined ? undefined : digits('petId', petId)
      const query = { limit, sort: 'newest', type: types?.join(), keyId, petId: pet }
      return createList(connection, {
        ...list,
        pageOf: (events, next): NewestPage => ({ events, next }),
        query,
        signal,
      })
    },
    history: (petId, { limit, signal } = {}) =>
      createList(connection, { ...list, query: { limit, petId: digits('petId', petId) }, signal }),
    follow: (options) => follow(connection, options),
  }
}
