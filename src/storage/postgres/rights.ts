import type { Queryable } from './statement.ts'

export interface Needs {
  relation: string
  rights: readonly ('select' | 'insert' | 'delete' | 'usage')[]
  /** The columns that are read, where the others must not be. */
  select?: readonly string[]
  /** The columns that are updated. */
  update?: readonly string[]
}

/**
 * What the role of a serving process needs: deploy/postgres/grants.sql grants exactly this. `for no key update` needs the right
 * to update any column.
 */
export const SERVING_RIGHTS: readonly Needs[] = [
  { relation: 'schema_migrations', rights: ['select'] },
  {
    relation: 'pets',
    rights: ['select', 'insert', 'delete'],
    update: ['name', 'category_id', 'status', 'version', 'held_by'],
  },
  { relation: 'pets_id_seq', rights: ['usage'] },
  { relation: 'import_ranges', rights: ['select'] },
  { relation: 'orders', rights: ['select', 'insert'], update: ['status', 'closed_at', 'closed_by'] },
  { relation: 'events', rights: ['select', 'insert', 'delete'] },
  { relation: 'feed_pages', rights: ['select', 'insert', 'delete'] },
  {
    relation: 'webhooks',
    rights: ['select', 'insert', 'delete'],
    update: [
      'url',
      'types',
      'state',
      'reason',
      'changed_by',
      'has_succeeded',
      'secret_number',
      'old_secret_ends_at',
      'sequence',
      'mark',
      'moves',
      'failing_since',
      'failures',
      'next_attempt_at',
      'ping_requested_at',
      'leased_by',
      'leased_until',
    ],
  },
  { relation: 'webhook_attempts', rights: ['select'] },
  { relation: 'idempotency_keys', rights: ['select', 'insert', 'delete'] },
  { relation: 'api_keys', rights: ['select'], update: ['last_used_at'] },
  {
    relation: 'deprecated_calls',
    rights: ['select', 'insert'],
    update: ['calls', 'first_called_at', 'last_called_at'],
  },
  { relation: 'console_sessions', rights: ['select', 'insert', 'delete'], update: ['last_seen_at'] },
]

/** What the role of a process that delivers to webhooks needs: it reads events, but no pets, and of keys only whether they are valid. */
export const DELIVERING_RIGHTS: readonly Needs[] = [
  { relation: 'schema_migrations', rights: ['select'] },
  { relation: 'orders', rights: ['select'] },
  { relation: 'events', rights: ['select'] },
  { relation: 'feed_pages', rights: ['select'] },
  {
    relation: 'webhooks',
    rights: ['select'],
    update: [
      'state',
      'reason',
      'has_succeeded',
      'sequence',
      'mark',
      'failing_since',
      'failures',
      'next_attempt_at',
      'attempts',
      'ping_requested_at',
      'leased_by',
      'leased_until',
    ],
  },
  {
    relation: 'webhook_attempts',
    rights: ['select', 'insert'],
    update: ['at', 'event_id', 'status', 'error', 'duration_ms'],
  },
  { relation: 'api_keys', rights: [], select: ['id', 'scopes', 'expires_at', 'revoked_at', 'replaced_by'] },
  { relation: 'deliverers', rights: ['select', 'insert', 'delete'], update: ['seen_at'] },
]

interface Lacking {
  relation: string
  right: string
  column: string | null
}

/** What this role lacks, like `delete, update (version) on pets`, for each table. Whatever does not exist is not missed here. */
export async function missingRights(db: Queryable, needs: readonly Needs[]): Promise<string[]> {
  const each = needs.flatMap(({ relation, rights, select = [], update = [] }) => [
    ...rights.map((right) => ({ relation, right, column: null })),
    ...select.map((column) => ({ relation, right: 'select', column })),
    ...update.map((column) => ({ relation, right: 'update', column })),
  ])
  const rows = await db.query<Lacking & Record<string, unknown>>({
    text: `
      select relation, "right", "column"
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as needed (relation, "right", "column", position)
      left join pg_attribute on attrelid = to_regclass(relation) and attname = "column"
      where not case
        when "right" = 'usage' then has_sequence_privilege(to_regclass(relation)::oid, "right")
        when "column" is null then has_table_privilege(to_regclass(relation)::oid, "right")
        else has_column_privilege(to_regclass(relation)::oid, attnum, "right") end
      order by position`,
    values: [each.map(({ relation }) => relation), each.map(({ right }) => right), each.map(({ column }) => column)],
  })
  return Array.from(Map.groupBy(rows, ({ relation }) => relation).entries(), describe)
}

function describe([relation, lacking]: [relation: string, lacking: Lacking[]]) {
  const rights = lacking.filter(({ column }) => column === null).map(({ right }) => right)
  const byColumn = lacking.filter(({ column }) => column !== null)
  for (const [right, columns] of Map.groupBy(byColumn, (each) => each.right))
    rights.push(`${right} (${columns.map(({ column }) => column).join(', ')})`)
  return `${rights.join(', ')} on ${relation}`
}
