import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { readBuildInfo } from '../../src/lib/build-info.ts'

const COMMIT = 'c0ffee'.padEnd(40, '0')

function folderWith(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-build-'))
  after(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries({ 'package.json': '{"version":"2.3.4"}', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const cases: [name: string, files: Record<string, string>, commit: string][] = [
  ['what deploy/stage has noted', { 'package.json': `{"version":"2.3.4","gitHead":"${COMMIT}"}` }, COMMIT],
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${COMMIT}\n` }, COMMIT],
  [
    'a packed branch',
    { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': `# pack-refs\n${COMMIT} refs/heads/main\n` },
    COMMIT,
  ],
  ['a commit without a branch', { '.git/HEAD': `${COMMIT}\n` }, COMMIT],
  [
    'a worktree',
    {
      '.git': 'gitdir: clone/.git/worktrees/one\n',
      'clone/.git/worktrees/one/HEAD': 'ref: refs/heads/one\n',
      'clone/.git/worktrees/one/commondir': '../..\n',
      'clone/.git/refs/heads/one': `${COMMIT}\n`,
    },
    COMMIT,
  ],
  ['neither', {}, 'unknown'],
]

test('between releases the version has the commit, if it is known', () => {
  const manifest = { version: '2.3.4-dev' }
  const staged = folderWith({ 'package.json': JSON.stringify({ ...manifest, gitHead: COMMIT }) })
  assert.deepEqual(readBuildInfo(staged), { version: '2.3.4-dev+c0ffee0', commit: COMMIT })
  const unknown = folderWith({ 'package.json': JSON.stringify(manifest) })
  assert.deepEqual(readBuildInfo(unknown), { version: '2.3.4-dev', commit: 'unknown' })
})

for (const [name, files, commit] of cases) {
  test(`the commit is read from ${name}`, () => {
    assert.deepEqual(readBuildInfo(folderWith(files)), { version: '2.3.4', commit })
  })
}
