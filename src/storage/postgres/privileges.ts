import type { Queryable } from './statement.ts'

export interface RequiredPrivileges {
  relation: string
  privileges: readonly ('select' | 'insert' | 'delete' | 'usage')[]
  /** The columns that are read, where the others must not be. */
  select?: readonly string[]
  /** The columns that are updated. */
  update?: readonly string[]
}

/**
 * What the role of a serving process needs: deploy/postgres/grants.sql grants exactly this. `for no key update` needs the privilege
 * to update any column.
 */
export const SERVING_PRIVILEGES: readonly RequiredPrivileges[] = [
  { relation: 'schema_migrations', privileges: ['select'] },
  { relation: 'store', privileges: ['select'] },
  {
    relation: 'pets',
    privileges: ['select', 'insert', 'delete'],
    update: ['name', 'category_id', 'status', 'version', 'held_by', 'worded'],
  },
  { relation: 'pets_id_seq', privileges: ['usage'] },
  { relation: 'import_ranges', privileges: ['select'] },
  { relation: 'categories', privileges: ['select', 'insert', 'delete'], update: ['name', 'version'] },
  { relation: 'orders', privileges: ['select', 'insert'], update: ['status', 'closed_at', 'closed_by'] },
  { relation: 'events', privileges: ['select', 'insert', 'delete'] },
  { relation: 'feed_pages', privileges: ['select', 'insert', 'delete'] },
  { relation: 'pet_words', privileges: ['select', 'insert', 'delete'] },
  { relation: 'stale_names', privileges: ['select', 'insert', 'delete'] },
  { relation: 'word_ranges', privileges: ['select', 'insert', 'delete'], update: ['reached'] },
  { relation: 'word_ranges_id_seq', privileges: ['usage'] },
  { relation: 'words_versions', privileges: ['select', 'insert', 'delete'] },
  {
    relation: 'webhooks',
    privileges: ['select', 'insert', 'delete'],
    update: [
      'name',
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
      'retry_at',
      'ping_requested_at',
      'leased_by',
      'leased_until',
    ],
  },
  { relation: 'webhook_attempts', privileges: ['select'] },
  { relation: 'idempotency_keys', privileges: ['select', 'insert', 'delete'] },
  { relation: 'api_keys', privileges: ['select'], update: ['last_used_at'] },
  {
    relation: 'deprecated_calls',
    privileges: ['select', 'insert'],
    update: ['calls', 'first_called_at', 'last_called_at'],
  },
  { relation: 'console_sessions', privileges: ['select', 'insert', 'delete'], update: ['last_seen_at'] },
]

/** What the role of a process that delivers to webhooks needs: it reads events, but no pets, and of keys only whether they are valid. */
export const DELIVERING_PRIVILEGES: readonly RequiredPrivileges[] = [
  { relation: 'schema_migrations', privileges: ['select'] },
  { relation: 'store', privileges: ['select'] },
  { relation: 'orders', privileges: ['select'] },
  { relation: 'events', privileges: ['select'] },
  { relation: 'feed_pages', privileges: ['select'] },
  {
    relation: 'webhooks',
    privileges: ['select'],
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
    privileges: ['select', 'insert'],
    update: ['at', 'event_id', 'status', 'error', 'duration_ms', 'response_body'],
  },
  { relation: 'api_keys', privileges: [], select: ['id', 'scopes', 'expires_at', 'revoked_at', 'replaced_by'] },
  { relation: 'deliverers', privileges: ['select', 'insert', 'delete'], update: ['seen_at'] },
]

interface Lacking {
  relation: string
  privilege: string
  column: string | null
}

/** What this role lacks, like `delete, update (version) on pets`, for each table. Whatever does not exist is not missed here. */
export async function missingPrivileges(db: Queryable, required: readonly RequiredPrivileges[]): Promise<string[]> {
  const each = required.flatMap(({ relation, privileges, select = [], update = [] }) => [
    ...privileges.map((privilege) => ({ relation, privilege, column: null })),
    ...select.map((column) => ({ relation, privilege: 'select', column })),
    ...update.map((column) => ({ relation, privilege: 'update', column })),
  ])
  const rows = await db.query<Lacking & Record<string, unknown>>({
    text: `
      select relation, privilege, "column"
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as needed (relation, privilege, "column", position)
      left join pg_attribute on attrelid = to_regclass(relation) and attname = "column"
      where not case
        when privilege = 'usage' then has_sequence_privilege(to_regclass(relation)::oid, privilege)
        when "column" is null then has_table_privilege(to_regclass(relation)::oid, privilege)
        else has_column_privilege(to_regclass(relation)::oid, attnum, privilege) end
      order by position`,
    values: [
      each.map(({ relation }) => relation),
      each.map(({ privilege }) => privilege),
      each.map(({ column }) => column),
    ],
  })
  return Array.from(Map.groupBy(rows, ({ relation }) => relation).entries(), describe)
}

function describe([relation, lacking]: [relation: string, lacking: Lacking[]]) {
  const privileges = lacking.filter(({ column }) => column === null).map(({ privilege }) => privilege)
  const byColumn = lacking.filter(({ column }) => column !== null)
  for (const [privilege, columns] of Map.groupBy(byColumn, (each) => each.privilege))
    privileges.push(`${privilege} (${columns.map(({ column }) => column).join(', ')})`)
  return `${privileges.join(', ')} on ${relation}`
}
