import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

// In place of PostgreSQL's programs, which come first for bash however PATH is set: a copy that takes no time and no server.
const POSTGRES = {
  'BASH_FUNC_pg_basebackup%%': `() { mkdir -p base/unfinished && echo 'START WAL LOCATION: 0/28 (file 01)' >base/unfinished/backup_label; }`,
  'BASH_FUNC_pg_verifybackup%%': '() { $VERIFY; }',
  'BASH_FUNC_pg_archivecleanup%%': '() { :; }',
}

/** Runs deploy/postgres/backup, which leaves in `metrics` when it was completed. `verify` is what becomes of the copy. */
export function backUp(store: string, metrics: string, verify: 'true' | 'false' = 'true') {
  return promisify(execFile)('deploy/postgres/backup', {
    env: {
      PATH: '/usr/bin:/bin',
      BACKUP_STORE: store,
      BACKUP_KEEP: '2',
      REPLICA_PORT: '1',
      BACKUP_METRICS: metrics,
      VERIFY: verify,
      ...POSTGRES,
    },
  })
}
