import type { Mutant } from './mutant.ts'

const PAGES = 'src/storage/events/pages.ts'
const SEQUENCER = 'src/storage/events/sequencer.ts'
const STORED = 'src/storage/events/stored-event.ts'
const ROUTES = 'src/http/events/routes.ts'

/** Faults of events: those that are not recorded or say something else, and of the feed and the histories. */
export const EVENT_MUTANTS: Mutant[] = [
  {
    name: 'keyed-without-event',
    what: 'a pet that is added with an Idempotency-Key has no event',
    file: 'src/storage/pets/keyed-pets.ts',
    edits: [['from claimed) as created', 'from claimed where false) as created']],
    kill: 'events.e1.created.keyed',
  },
  {
    name: 'delete-skips-version',
    what: 'the event of a deletion leaves out a version',
    file: 'src/storage/pets/changes.ts',
    edits: [['pets.version + 1 as version', 'pets.version + 2 as version']],
    kill: 'events.e1.deleted',
  },
  {
    name: 'changed-category',
    what: '`changed` of an event does not name `categoryId`',
    file: 'src/storage/pets/changes.ts',
    edits: [["when new.category_id <> old.category_id then 'categoryId'", "when false then 'categoryId'"]],
    kill: 'events.e1.updated.category-id',
  },
  {
    name: 'held-event',
    what: 'the event of a held pet does not name its order',
    file: 'src/storage/pets/changes.ts',
    edits: [["orderId: 'held_by'", "orderId: 'null'"]],
    kill: 'events.e1.updated.held',
  },
  {
    name: 'placed-as-now',
    what: 'the event of a new order shows when the order has ended',
    file: STORED,
    edits: [["return status === 'placed' || closedAt", 'return closedAt']],
    kill: 'events.e1.placed.later',
  },
  {
    name: 'expiry-without-event',
    what: 'an order that expires has no event',
    file: 'src/storage/orders/close.ts',
    edits: [["insertEvents('freed', {", `insertEvents("(select * from freed where target <> 'expired') as freed", {`]],
    kill: 'events.e1.expired',
  },
  {
    name: 'key-of-another',
    what: 'changes that are made together have the key of the first of them',
    file: 'src/storage/events/recorded.ts',
    edits: [['actors.map(({ keyId = null }) => keyId)', 'actors.map(() => actors[0]?.keyId ?? null)']],
    kill: 'events.key-id.other',
  },
  {
    name: 'feed-by-pet-backwards',
    what: 'events of one pet that come into the feed together are in the reverse order',
    file: SEQUENCER,
    edits: [['order by reached, pet_id, version)', 'order by pet_id, version desc)']],
    kill: 'events.order',
  },
  {
    name: 'feed-gap',
    what: 'each page of the feed leaves out a number',
    file: SEQUENCER,
    edits: [['select next + page', 'select next + 1 + page']],
    kill: 'events.e2.dense',
  },
  {
    name: 'mark-unchecked',
    what: 'a cursor of the feed is accepted whatever its mark is',
    file: PAGES,
    edits: [['input.mark = coalesce(', '0 <= coalesce(']],
    kill: 'events.cursor.altered',
  },
  {
    name: 'feed-limit',
    what: 'a page of the feed has one event too many',
    file: PAGES,
    edits: [
      ['order by sequence limit input.count)', 'order by sequence limit input.count + 1)'],
      ['types ? MAX_LOOKED_AT : limit', 'types ? MAX_LOOKED_AT : limit + 1'],
    ],
    kill: 'events.e3.limit.3',
  },
  {
    name: 'types-ignored',
    what: 'the filter by type does nothing',
    file: PAGES,
    edits: [['where input.types is null or', 'where true or']],
    kill: 'events.e10.type.order.completed',
  },
  {
    name: 'whole-feed-looked-at',
    what: 'a page with a filter by type looks at the whole feed',
    file: PAGES,
    edits: [['const MAX_LOOKED_AT = 1_000', 'const MAX_LOOKED_AT = 1_000_000']],
    kill: 'events.e10.looked-at',
  },
  {
    name: 'wait-ignored',
    what: '`wait` does nothing',
    file: 'src/domain/events.ts',
    edits: [['|| left <= 0 ||', '|| left <= 60_000 ||']],
    kill: 'events.e5.over.1',
  },
  {
    name: 'wait-until-its-end',
    what: 'a wait lasts as long as it may, also if there is an event',
    file: 'src/storage/events/waits.ts',
    edits: [['if (sequence > after) resolve(false)', 'if (sequence > after + 1_000n) resolve(false)']],
    kill: 'events.e5.ends',
  },
  {
    name: 'history-backwards',
    what: 'a history begins with the newest version',
    file: PAGES,
    edits: [['order by version) as events) as page', 'order by version desc) as events) as page']],
    kill: 'events.e15.100',
  },
  {
    name: 'history-without-deleted',
    what: 'a pet that was deleted has no history',
    file: PAGES,
    edits: [['and pet_id > 0', 'and pet_id in (select id from pets where id = input.pet_id)']],
    kill: 'events.e15.deleted',
  },
  {
    name: 'history-of-another',
    what: 'a cursor of the history of another pet is accepted',
    file: ROUTES,
    edits: [['if (cursorPetId !== petId)', 'if (cursorPetId < 0n)']],
    kill: 'events.e15.cursor',
  },
  {
    name: 'feed-scope',
    what: 'a key that can read pets can read events',
    file: ROUTES,
    edits: [["scope: 'events:read'", "scope: 'pets:read'"]],
    kill: 'scopes.s1.feed',
  },
  {
    name: 'waits-unshared',
    what: 'one key can take all places of requests that wait',
    file: 'src/storage/events/waits.ts',
    edits: [['const MOST_OF_CHAIN = MOST / 4', 'const MOST_OF_CHAIN = MOST']],
    kill: { test: 'test/http/events-wait.test.ts', names: 'have a quarter of the waits' },
  },
  {
    name: 'revoked-waits-on',
    what: 'a request that waits is not checked again when its key is revoked',
    file: 'src/domain/events.ts',
    edits: [['await authenticate({ socket, trace, begun: performance.now() })', '']],
    kill: { test: 'test/http/events-wait.test.ts', names: 'whose key is revoked while it waits' },
  },
  {
    name: 'savepoint-lost',
    what: 'an event that was stored under a savepoint is not in the feed',
    file: SEQUENCER,
    edits: [['age(events.xmin) between 0 and age(transaction::xid)', 'events.xmin = transaction::xid']],
    kill: { test: 'test/storage/sequencer.test.ts', names: 'stored under a savepoint' },
  },
  {
    name: 'silent-feed',
    what: 'a connection of the feed that is silent is kept',
    file: 'src/storage/events/feed.ts',
    edits: [['if (busy?.length !== 0 ||', 'if (busy !== undefined ||']],
    kill: { test: 'test/storage/feed-silence.test.ts', names: 'cut off without a sign' },
  },
  // These need writers and readers at certain moments, or old events: no client sees them from outside.
  {
    name: 'feed-in-progress-lost',
    what: 'events of transactions that were in progress at the last page are lost',
    file: SEQUENCER,
    edits: [['select pg_snapshot_xip(snapshot) from last', 'select pg_snapshot_xip(snapshot) from last where false']],
    kill: { test: 'test/storage/sequencer.test.ts', names: 'of 24 concurrent writers with rollbacks' },
  },
  {
    name: 'last-page-pruned',
    what: 'the last page of the feed is removed too, so that it has no end',
    file: 'src/storage/events/pruner.ts',
    edits: [['where first < (select max(first)', 'where first <= (select max(first)']],
    kill: { test: 'test/storage/prune-events.test.ts', names: 'the last page is never removed' },
  },
]
