import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const notes = (tag: string) => spawnSync(process.execPath, ['.ci/release-notes.ts', tag], { encoding: 'utf8' })
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

test('the tag of this version gets its section of CHANGELOG.md, by Added, Changed and Fixed', () => {
  const { status, stdout, stderr } = notes(`v${version}`)
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^### Added$/m)
  assert.doesNotMatch(stdout, /^## /m)
})

test('a tag of another version is rejected, with every file that disagrees', () => {
  const { status, stderr } = notes('v999.0.0')
  assert.equal(status, 1)
  for (const file of ['package.json', 'packages/client/package.json', 'openapi.json', 'CHANGELOG.md'])
    assert.ok(stderr.includes(file), file)
})

test('CHANGELOG.md begins with what is not released yet', () => {
  const [first] = /^## .*$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? []
  assert.equal(first, '## Unreleased')
})
