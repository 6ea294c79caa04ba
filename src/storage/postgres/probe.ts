import type { DatabaseTimes } from '../../lib/times.ts'
import { UNSAFE_SETTINGS, type UnsafeSetting } from '../../lib/unsafe-settings.ts'
import { newClient } from './connection.ts'

const WHY: Record<UnsafeSetting, string> = {
  fsync: 'fsync is off: when its machine crashes, pets that were confirmed are lost, or all of them. Turn it on.',
  synchronous_commit:
    'synchronous_commit is off, or does not wait until the standby has flushed: when it crashes, pets that were confirmed are lost. Turn it on, for this user and database too.',
  full_page_writes: 'full_page_writes is off: when its machine crashes, pages may be torn for good. Turn it on.',
  read_only: 'it takes no writes: it is a standby, or read-only by default. DATABASE_URL must lead to the primary.',
}

/** The server responds, but its settings could lose confirmed writes. */
export class UnsafeDatabase extends Error {
  override name = 'UnsafeDatabase'

  constructor(settings: UnsafeSetting[]) {
    const sentences = settings.map((setting) => `  ${WHY[setting]}`).join('\n')
    super(
      `The database at DATABASE_URL can't be used:\n${sentences}\nIf you know better, set ALLOW_UNSAFE_DATABASE=${settings.join(',')}`,
    )
  }
}

/** Opens a connection, and throws unless the server can be written to and keeps what it acknowledges. */
export async function probePrimary(
  url: string,
  allowed: readonly UnsafeSetting[],
  { probeMs }: Pick<DatabaseTimes, 'probeMs'>,
) {
  const client = newClient(url, { connectionTimeoutMillis: probeMs, query_timeout: probeMs })
  try {
    await client.connect()
    const { rows } = await client.query<Record<UnsafeSetting, boolean>>(`
      select current_setting('fsync') = 'off' as fsync,
             current_setting('synchronous_commit') = 'off' or
               current_setting('synchronous_commit') in ('local', 'remote_write') and
               current_setting('synchronous_standby_names') <> '' as synchronous_commit,
             current_setting('full_page_writes') = 'off' as full_page_writes,
             pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only`)
    const settings = UNSAFE_SETTINGS.filter((setting) => rows[0]?.[setting] && !allowed.includes(setting))
    if (settings.length > 0) throw new UnsafeDatabase(settings)
  } finally {
    client.end().catch(() => {})
  }
}

/** Commits a WAL message, which is acknowledged when a pet would be: after the standby has it, if there must be one. */
export async function probeCommit(
  url: string,
  closed: AbortSignal,
  { probeMs, probeCommitMs }: Pick<DatabaseTimes, 'probeMs' | 'probeCommitMs'>,
) {
  const client = newClient(url, { connectionTimeoutMillis: probeMs, query_timeout: probeCommitMs })
  const end = () => void client.end().catch(() => {})
  closed.addEventListener('abort', end)
  try {
    await client.connect()
    await client.query(`select pg_logical_emit_message(true, 'petstore', 'probe')`)
  } finally {
    closed.removeEventListener('abort', end)
    end()
  }
}
