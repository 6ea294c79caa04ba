import type { Mutant } from './mutant.ts'

const PAGES = 'src/storage/events/pages.ts'
const NEWEST = 'src/storage/events/newest.ts'
const SEQUENCER = 'src/storage/events/sequencer.ts'
const STORED = 'src/storage/events/event-rows.ts'
const ROUTES = 'src/http/events/routes.ts'

/** Faults of events: those that are not recorded or say something else, and of the feed and the histories. */
export const EVENT_MUTANTS: Mutant[] = [
  {
    name: 'keyed-without-event',
    what: 'a pet that is added with an Idempotency-Key has no event',
    file: 'src/storage/pets/idempotent-pets.ts',
    edits: [['api_key_id from new_pets)', 'api_key_id from new_pets where false)']],
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
    edits: [
      [
        'category_id, status, held_by, changed, key_id,\n               previous_name',
        'category_id, status, null::bigint, changed, key_id,\n               previous_name',
      ],
    ],
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
    edits: [['key_id from freed)', "key_id from freed where target <> 'expired')"]],
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
    name: 'token-unchecked',
    what: 'a cursor of the feed is accepted whatever its page token is',
    file: PAGES,
    edits: [[`input.mark = \${tokenOfPosition('after'`, `0 <= \${tokenOfPosition('after'`]],
    kill: 'events.cursor.altered',
  },
  {
    name: 'feed-limit',
    what: 'a page of the feed has one event too many',
    file: PAGES,
    edits: [
      ['order by sequence limit input.count)', 'order by sequence limit input.count + 1)'],
      ['MAX_LOOKED_AT : limit))', 'MAX_LOOKED_AT : limit + 1))'],
    ],
    kill: 'events.e3.limit.3',
  },
  {
    name: 'types-ignored',
    what: 'the filter by type does nothing',
    file: PAGES,
    edits: [['where (input.types is null or', 'where (true or']],
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
    name: 'newest-token-unchecked',
    what: 'a cursor of the newest events is accepted whatever its page token is',
    file: NEWEST,
    edits: [['or input.mark = (', 'or 0 <= (']],
    kill: 'events.newest.altered',
  },
  {
    name: 'newest-types-ignored',
    what: 'the filter by type does nothing if the newest come first',
    file: NEWEST,
    edits: [['(wanted is null or type', '(true or type']],
    kill: 'events.newest.type',
  },
  {
    name: 'newest-without-next',
    what: 'a page that has passed over many events of other types has no next',
    file: NEWEST,
    edits: [['case when page.reached > oldest then', 'case when page.reached > oldest and page.type is not null then']],
    kill: { test: 'test/http/events-100000.test.ts', names: 'has a next' },
  },
  {
    name: 'time-by-page',
    what: '`from` a time starts with the page that has the first event since then',
    file: PAGES,
    edits: [[`events.at >= \${momentOf(ms)} limit 1`, 'true limit 1']],
    kill: { test: 'test/http/events-newest.test.ts', names: 'starts with the first event since then' },
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
    edits: [[`order by version \${order}) as events`, 'order by version desc) as events']],
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
    edits: [['const MAX_OF_CHAIN = MAX_WAITING / 4', 'const MAX_OF_CHAIN = MAX_WAITING']],
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
