import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PACKAGE, run } from './support/project.ts'

const directory = mkdtempSync(join(tmpdir(), 'petstore-manifest-'))
after(() => rmSync(directory, { recursive: true }))

test('the package is published with links to its source, its page and its bugs, or not at all', async () => {
  const links = { repository: { type: 'git', url: 'git+ssh://git.example/petstore.git' }, homepage: 'x', bugs: 'x' }
  const { scripts } = (await import('../package.json', { with: { type: 'json' } })).default
  const check = async (manifest: object) => {
    writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))
    await run(directory, process.execPath, [join(PACKAGE, scripts.prepublishOnly.replace('node ', ''))])
  }
  await check(links)
  await assert.rejects(check({ ...links, bugs: undefined }), /package\.json has no bugs\. Set/)
  await assert.rejects(check({}), /has no repository, homepage, bugs\. Set/)
})
