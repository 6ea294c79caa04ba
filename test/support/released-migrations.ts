import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** A folder with the migrations that the first release had. */
export function releasedMigrations() {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-released-'))
  after(() => rmSync(directory, { recursive: true }))
  const names = readdirSync('migrations').filter((name) => /^00(?:0\d|1[0-2])_/.test(name))
  assert.equal(names.length, 12)
  for (const name of names) copyFileSync(join('migrations', name), join(directory, name))
  return directory
}
