import type { Mutant } from './mutant.ts'

const CHANGES = 'src/storage/pets/changes.ts'
const CLOSE = 'src/storage/orders/close.ts'

/** Faults of what a store does beyond the three operations: changing, finding and ordering pets. */
export const STORE_MUTANTS: Mutant[] = [
  {
    name: 'same-version',
    what: 'a change makes no new version',
    file: CHANGES,
    edits: [['version = decided.version + 1', 'version = decided.version']],
  },
  {
    name: 'version-for-nothing',
    what: 'a change to the same values makes a new version',
    file: CHANGES,
    edits: [["then 'unchanged'", "then 'changed'"]],
  },
  {
    name: 'if-match-ignored',
    what: 'If-Match is ignored',
    file: CHANGES,
    edits: [["`input.matches <> '*' and", "`false and input.matches <> '*' and"]],
  },
  {
    name: 'weak-match',
    what: 'a weak ETag matches',
    file: 'src/http/wire/if-match.ts',
    edits: [['/^"([1-9]', '/^(?:W\\/)?"([1-9]']],
  },
  {
    name: 'mismatch-without-etag',
    what: '412 does not say which version the pet has',
    file: 'src/http/wire/errors.ts',
    edits: [["return ['etag', ", "return ['x-etag', "]],
  },
  {
    name: 'sale-taken-back',
    what: 'a sold pet is made available without its version',
    file: CHANGES,
    edits: [["when old.status = 'sold' and", "when false and old.status = 'sold' and"]],
  },
  {
    name: 'any-takes-back',
    what: '`If-Match: *` is enough to take back a sale',
    file: CHANGES,
    edits: [["coalesce(input.matches, '*') = '*'", 'input.matches is null']],
  },
  {
    name: 'held-status',
    what: 'the status of a held pet can be changed',
    file: CHANGES,
    edits: [["when input.has_status and old.held_by is not null then 'held'", "when false then 'held'"]],
  },
  {
    name: 'held-deleted',
    what: 'a held pet can be deleted',
    file: CHANGES,
    edits: [["when old.held_by is not null then 'held' else", "when false then 'held' else"]],
  },
  {
    name: 'pending-ordered',
    what: 'a pending pet can be ordered, and one that is ordered again',
    file: 'src/storage/orders/placing.ts',
    edits: [["and status = 'available'", "and status in ('available', 'pending')"]],
  },
  {
    name: 'cancelled-pending',
    what: 'the pet of a cancelled order stays pending',
    file: CLOSE,
    edits: [["else 'available' end", "else 'pending' end"]],
  },
  {
    name: 'completed-held',
    what: 'a completed order keeps its pet',
    file: CLOSE,
    edits: [
      ["when 'completed' then 'sold'", "when 'completed' then 'pending'"],
      ['held_by = null', "held_by = case closed.status when 'completed' then held_by end"],
    ],
  },
  {
    name: 'version-of-order',
    what: 'the end of an order makes no new version of its pet',
    file: CLOSE,
    edits: [['held_by = null, version = version + 1', 'held_by = null']],
  },
  {
    name: 'closed-again',
    what: 'an order that has ended can be ended the other way',
    file: 'src/domain/orders.ts',
    edits: [['if (order.status !== closing.status)', "if (order.status === 'placed')"]],
  },
  {
    name: 'early-expiry',
    what: 'an order expires a second before its time',
    file: 'src/storage/orders/expire.ts',
    edits: [['expires_at <= now()', "expires_at <= now() + interval '1 second'"]],
  },
  {
    name: 'late-expiry',
    what: 'orders expire once a minute',
    file: 'src/jobs/expire-orders.ts',
    edits: [['intervalMs: 1_000', 'intervalMs: 60_000']],
  },
  {
    name: 'order-key-ignored',
    what: 'an order is placed again although its Idempotency-Key was used',
    file: 'src/domain/orders.ts',
    edits: [['if (key === undefined) {', "if (key === undefined || key !== '') {"]],
  },
  {
    name: 'refused-key',
    what: 'an order that is refused stores its Idempotency-Key',
    file: 'src/storage/idempotency/statements.ts',
    edits: [
      ["' and id in (select id from allowed)'", "''"],
      ['on pet_id = id),', `on pet_id = id\${guard ? ' where id in (select id from allowed)' : ''}),`],
    ],
  },
  {
    name: 'cursor-of-the-other-end',
    what: 'a cursor of the newest pets is accepted by a list of the oldest',
    file: 'src/lib/cursor.ts',
    edits: [['bytes.readUInt8(0) !== WALKS[walk]', 'bytes.readUInt8(0) > 3']],
  },
  {
    name: 'newest-twice',
    what: 'the last of the newest pets begins the next page',
    file: 'src/storage/pets/pages.ts',
    edits: [["'<' : '>'} page.after", "'<=' : '>'} page.after"]],
  },
  {
    name: 'category-ignored',
    what: 'the category filter does nothing',
    file: 'src/http/pets/routes.ts',
    edits: [['{ status, categoryId, ids: id }', '{ status, ids: id, ...(categoryId && {}) }']],
  },
  {
    name: 'status-range',
    what: 'a category with a status contains the statuses after it',
    file: 'src/storage/pets/pages.ts',
    edits: [['range.status = page.status', 'range.status >= page.status']],
  },
  {
    name: 'order-id-case',
    what: 'the id of an order may be written in another case',
    file: 'src/lib/order-id.ts',
    edits: [['{20}$/', '{20}$/i']],
  },
  {
    name: 'order-scope',
    what: 'a key that can add pets can order them',
    file: 'src/http/orders/routes.ts',
    edits: [["scope: 'orders:write'", "scope: 'pets:write'"]],
  },
  {
    name: 'default-scopes',
    what: 'a key that names no scopes has all of them',
    file: 'src/domain/principal.ts',
    edits: [["readonly Scope[] = ['pets:read', 'pets:write']", 'readonly Scope[] = SCOPES']],
  },
]
