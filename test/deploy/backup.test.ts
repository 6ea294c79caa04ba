import assert from 'node:assert/strict'
import { mkdtempDisposableSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUp } from '../support/backup.ts'

test('a backup leaves for Prometheus when it was completed, and one that fails leaves what was there', async () => {
  using store = mkdtempDisposableSync(join(tmpdir(), 'petstore-backup-'))
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-metrics-'))
  const file = join(directory.path, 'backup.prom')
  const begun = Math.floor(Date.now() / 1_000)
  await backUp(store.path, file)
  const text = readFileSync(file, 'utf8')
  const [, seconds] = /^petstore_backup_completed_timestamp_seconds (\d+)\n$/.exec(text) ?? []
  assert.ok(Number(seconds) >= begun && Number(seconds) <= Date.now() / 1_000, text)
  assert.equal(statSync(file).mode & 0o777, 0o644)
  assert.deepEqual(readdirSync(directory.path), ['backup.prom'])

  await assert.rejects(backUp(store.path, file, 'false'))
  assert.equal(readFileSync(file, 'utf8'), text)
})
