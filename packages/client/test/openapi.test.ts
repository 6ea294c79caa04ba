import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const PACKAGE = new URL('../', import.meta.url).pathname

test('src/openapi.ts is what openapi.json says; `npm run generate` writes it again', () => {
  const generated = execFileSync(process.execPath, ['scripts/generate.ts'], { cwd: PACKAGE, encoding: 'utf8' })
  assert.equal(readFileSync(`${PACKAGE}src/openapi.ts`, 'utf8'), generated)
})
