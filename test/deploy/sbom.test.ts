import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Bom, bundledComponents, type LockFile, withHashes, withTimeOfCommit } from '../../deploy/sbom.ts'
import { assertHashesOfLockFile } from './lock-hashes.ts'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile
const listing = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application']
const bom = JSON.parse(execFileSync('npm', listing, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) as Bom
// As deploy/stage gets it from npm, which has no lock file there.
const components = bom.components.map(({ hashes: _hashes, ...component }) => component)

test('every component of the SBOM has the hash of the lock file', () => {
  const complete = withHashes({ ...bom, components }, lock)
  assert.equal(complete.components.length, components.length)
  assertHashesOfLockFile(complete.components)
  assert.equal(complete.metadata.component.name, '@petstore/service')
})

test('two listings of the same commit are the same: their time is that of the commit', () => {
  const random = { ...bom, serialNumber: 'urn:uuid:419615dd-10a5-414d-9b2a-8802dc0c9315' }
  const timed = withTimeOfCommit(random, 1_700_000_000)
  assert.equal(timed.metadata.timestamp, '2023-11-14T22:13:20.000Z')
  assert.deepEqual(withTimeOfCommit({ ...bom, metadata: { ...bom.metadata, timestamp: '' } }, 1_700_000_000), timed)
})

test('what the console contains is listed, with its hash', () => {
  const bundled = bundledComponents(lock)
  const names = bundled.map(({ name }) => name).toSorted()
  assert.deepEqual(names, ['@fontsource-variable/inter', '@preact/signals', '@preact/signals-core', 'preact'])
  const { dependencies = {} } = JSON.parse(
    readFileSync('node_modules/preact/package.json', 'utf8'),
  ) as LockFile['packages'][string]
  assert.deepEqual(dependencies, {})
  for (const { name, version, purl } of bundled) assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`)
  assertHashesOfLockFile(withHashes({ ...bom, components: [...components, ...bundled] }, lock).components)
})

test('a package without a hash in the lock file is an error, not a component without one', () => {
  const { name, version } = components[0]!
  const others = Object.entries(lock.packages).filter(([path]) => !path.endsWith(`node_modules/${name}`))
  assert.throws(
    () => withHashes({ ...bom, components }, { ...lock, packages: Object.fromEntries(others) }),
    new RegExp(`^Error: ${name}@${version} has no hash in package-lock.json.`),
  )
})
