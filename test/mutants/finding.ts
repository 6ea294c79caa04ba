import type { Mutant } from './mutant.ts'

const SEARCHING = 'src/storage/search/searching.ts'
const BY_TIME = 'src/storage/orders/by-time.ts'

/** Faults of what finds and counts: searches by name, orders by time, categories, changes of a key, roles and the status. */
export const FINDING_MUTANTS: Mutant[] = [
  {
    name: 'search-by-stale-words',
    what: 'a search shows a pet by a word of a name that it has no longer',
    file: SEARCHING,
    edits: [['if (match === word) this.#found', 'if (word !== match || match === word) this.#found']],
    kill: { test: 'test/http/search.test.ts', names: 'words of pets that are deleted or renamed are passed over' },
  },
  {
    name: 'search-by-each-word',
    what: 'a search shows a pet once for each of its words that match',
    file: SEARCHING,
    edits: [['if (match === word) this.#found', 'if (match && words.includes(word)) this.#found']],
    kill: 'search.order',
  },
  {
    name: 'cursor-of-another-search',
    what: 'a cursor of a search is accepted by another one that has one of its words',
    file: 'src/http/wire/cursor.ts',
    edits: [['bytes.readUInt32BE(2) !== checksumOf(terms) || ', '']],
    kill: 'search.cursor',
  },
  {
    name: 'words-in-utf-16',
    what: 'words are in the order of UTF-16, and not in that of the index',
    file: 'src/lib/words.ts',
    edits: [['return Buffer.compare(Buffer.from(a), Buffer.from(b))', 'return a < b ? -1 : Number(a > b)']],
    kill: { test: 'test/lib/name-words.test.ts', names: 'the first in the order of the index counts' },
  },
  {
    name: 'rename-without-words',
    what: 'a pet that was renamed is not found by its new name',
    file: 'src/storage/pets/changes.ts',
    edits: [
      ['select word, id from written join', 'select word, id from (select * from written where false) as written join'],
    ],
    kill: 'search.own-writes',
  },
  {
    name: 'import-without-words',
    what: 'imported pets are not found',
    file: 'src/domain/import.ts',
    edits: [['        await addRange(transaction, ids)\n', '']],
    kill: { test: 'test/jobs/make-words.test.ts', names: 'imported pets are found' },
  },
  {
    name: 'words-removed-too-many',
    what: 'the words of a former name are removed also where the present name has them',
    file: 'src/storage/search/stale-names.ts',
    edits: [['words: words.filter((word) => !kept.includes(word))', 'words']],
    kill: { test: 'test/storage/pet-words.test.ts', names: 'words of a name stay if the pet has it again' },
  },
  {
    name: 'sales-to-inclusive',
    what: 'an order that ended at `to` belongs to the span',
    file: BY_TIME,
    edits: [['{ time: to, id: 0n, petId: 0n }', '{ time: to, id: 2n ** 62n, petId: 0n }']],
    kill: 'orders.closed.complete.3',
  },
  {
    name: 'sales-of-one-moment',
    what: 'of orders that ended in one moment, those after the end of a page are skipped',
    file: BY_TIME,
    edits: [
      ['(closed_at, id, pet_id) < (', '(closed_at) < ('],
      [", page.after_id, page.after_pet)`,\n    order: 'status", ")`,\n    order: 'status"],
    ],
    kill: { test: 'test/http/orders-by-time.test.ts', names: 'the sales of a day, the newest first' },
  },
  {
    name: 'expiring-of-one-moment',
    what: 'of orders that expire in one moment, those after the end of a page are skipped',
    file: BY_TIME,
    edits: [
      ['(expires_at, id, pet_id) > (', '(expires_at) > ('],
      [", page.after_id, page.after_pet)`,\n    order: 'expires_at", ")`,\n    order: 'expires_at"],
    ],
    kill: { test: 'test/storage/orders-by-time.test.ts', names: 'also those of one moment' },
  },
  {
    name: 'order-count-unbounded',
    what: 'a count of orders reads all of them',
    file: BY_TIME,
    edits: [['limit: MAX_COUNT }', 'limit: 1_000_000 }']],
    kill: { test: 'test/storage/orders-by-time.test.ts', names: 'are counted up to a thousand' },
  },
  {
    name: 'pet-count-unbounded',
    what: 'a count of pets reads all of them',
    file: 'src/storage/pets/counts.ts',
    edits: [
      ['order by id limit ', 'order by id limit 1000 * '],
      ["coalesce(status, ''), id limit ", "coalesce(status, ''), id limit 1000 * "],
    ],
    kill: { test: 'test/http/categories.test.ts', names: 'of each status and up to 100; alone, up to 1,000' },
  },
  {
    name: 'changes-of-every-key',
    what: 'the changes of one key are those of all keys',
    file: 'src/storage/events/pages.ts',
    edits: [["'(input.key_id is null or events.key_id = input.key_id)'", "'(input.key_id is null or true)'"]],
    kill: { test: 'test/http/events-by-key.test.ts', names: 'the changes of a key, in both directions' },
  },
  {
    name: 'previous-as-now',
    what: '`data.previous` of an event has the new name',
    file: 'src/storage/pets/changes.ts',
    edits: [
      [
        'case when new.name <> old.name then old.name end as previous_name',
        'case when new.name <> old.name then new.name end as previous_name',
      ],
    ],
    kill: 'events.previous.updated',
  },
  {
    name: 'role-with-a-scope-more',
    what: 'the key of a shop can change pets',
    file: 'src/domain/principal.ts',
    edits: [["shop: ['pets:read', ", "shop: ['pets:read', 'pets:edit', "]],
    kill: { test: 'test/cli/keys.test.ts', names: 'a role stands for its scopes' },
  },
  {
    name: 'category-of-two',
    what: 'a tool takes a name that two categories have',
    file: 'src/domain/categories.ts',
    edits: [['if (category && same.length === 1)', 'if (category)']],
    kill: { test: 'test/http/mcp-categories.test.ts', names: 'a name that no category has, or several' },
  },
  {
    name: 'category-renamed-by-repeat',
    what: 'an import of categories that is repeated makes new versions',
    file: 'src/storage/categories/copy.ts',
    edits: [['        where categories.name <> excluded.name\n', '']],
    kill: { test: 'test/cli/categories.test.ts', names: 'a repeat changes nothing' },
  },
  {
    name: 'search-complete-always',
    what: 'the status says that every pet can be found while words are being made',
    file: 'src/domain/status.ts',
    edits: [['isComplete: percent === undefined, foundPercent: percent ?? 100', 'isComplete: true, foundPercent: 100']],
    kill: { test: 'test/http/status.test.ts', names: 'search is incomplete while the words of pets are being made' },
  },
  {
    name: 'names-of-keys-unchanged',
    what: 'a client that has other names of keys is told that they are the same',
    file: 'src/http/wire/if-none-match.ts',
    edits: [['known.includes(tag)', 'known.includes(tag.slice(0, 1))']],
    kill: 'keys.names.unchanged',
  },
]
