import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'

const read = (file: string) => readFileSync(file, 'utf8')
const notes = (tag: string, cwd: string) =>
  spawnSync(process.execPath, [resolve('.ci/release-notes.ts'), tag], { encoding: 'utf8', cwd })

const folder = mkdtempSync(join(tmpdir(), 'petstore-release-'))
after(() => rmSync(folder, { recursive: true }))
const files = {
  'package.json': '{"version":"1.2.3"}',
  'packages/client/package.json': '{"version":"1.2.3"}',
  'openapi.json': '{"info":{"version":"1.2.3"}}',
  'released/openapi.json': '{"info":{"version":"1.2.3"}}',
  'CHANGELOG.md':
    '# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-20\n\n### Added\n\n- A line.\n\n## 1.2.2 - 2026-11-19\n\nNo.\n',
}
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

test('the tag of a release gets its section of CHANGELOG.md', () => {
  const { status, stdout, stderr } = notes('v1.2.3', folder)
  assert.equal(status, 0, stderr)
  assert.equal(stdout, '### Added\n\n- A line.\n')
})

test('a tag of another version is rejected, with every file that disagrees', () => {
  for (const cwd of [folder, '.']) {
    const { status, stderr } = notes('v999.0.0', cwd)
    assert.equal(status, 1)
    for (const file of Object.keys(files)) assert.ok(stderr.includes(file), file)
  }
})

test('CHANGELOG.md begins with what is not released yet', () => {
  const [first] = /^## .*$/m.exec(read('CHANGELOG.md')) ?? []
  assert.equal(first, '## Unreleased')
})

test('every file has the version of package.json: a release, or with -dev what is worked at', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  assert.match(version, /^\d+\.\d+\.\d+(-dev)?$/)
  const places: [file: string, found: RegExp][] = [
    ['package-lock.json', /"version": "(.+)"/],
    ['package-lock.json', /"": \{\s+"name": ".+",\s+"version": "(.+)"/],
    ['packages/client/package.json', /"version": "(.+)"/],
    ['packages/client/package-lock.json', /"version": "(.+)"/],
    ['packages/client/package-lock.json', /"": \{\s+"name": ".+",\s+"version": "(.+)"/],
    ['packages/client/src/send.ts', /petstore-client\/(.+)'/],
    ['openapi.json', /"version": "(.+?)"/],
  ]
  for (const [file, found] of places)
    assert.equal(found.exec(read(file))?.[1], version, `${file}; \`.ci/version\` sets it`)
})
