import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const VERSION = 'v26.10.0'
const NAME = `node-${VERSION}-linux-${process.arch}`
const skip = process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)

/** A distribution laid out as Node's own is, with one build in it. */
function distribution() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-dist-'))
  const release = join(folder.path, 'dist', VERSION)
  mkdirSync(join(release, NAME, 'bin'), { recursive: true })
  writeFileSync(join(release, NAME, 'bin/node'), 'the binary')
  writeFileSync(join(release, NAME, 'LICENSE'), 'the licence')
  writeFileSync(join(release, NAME, 'README.md'), 'not needed')
  const archive = join(release, `${NAME}.tar.gz`)
  execFileSync('tar', ['-cz', '-f', archive, '-C', release, NAME])
  const sums = join(release, 'SHASUMS256.txt')
  writeFileSync(sums, `${hash('sha256', readFileSync(archive))}  ${NAME}.tar.gz\n${'0'.repeat(64)}  ${NAME}.tar.xz\n`)
  const target = join(folder.path, 'bin')
  mkdirSync(target)
  const fetchNode = () =>
    spawnSync('bash', ['deploy/fetch-node', `file://${folder.path}/dist`, VERSION, target], { encoding: 'utf8' })
  return { archive, sums, target, fetchNode, [Symbol.dispose]: () => folder.remove() }
}

test('a build with its published hash is taken: the program and its licence, nothing else', { skip }, () => {
  using dist = distribution()
  const { status, stderr } = dist.fetchNode()
  assert.equal(status, 0, stderr)
  assert.deepEqual(readdirSync(dist.target).toSorted(), ['LICENSE', 'node'])
  assert.equal(readFileSync(join(dist.target, 'node'), 'utf8'), 'the binary')
})

test('a build with another hash is rejected', { skip }, () => {
  using dist = distribution()
  writeFileSync(dist.archive, Buffer.concat([readFileSync(dist.archive), Buffer.from([0])]))
  const { status, stderr } = dist.fetchNode()
  assert.equal(status, 1)
  assert.match(stderr, /does not have the hash that SHASUMS256\.txt gives for it/)
  assert.deepEqual(readdirSync(dist.target), [])
})

test('a build without a published hash is rejected', { skip }, () => {
  using dist = distribution()
  writeFileSync(dist.sums, readFileSync(dist.sums, 'utf8').split('\n').slice(1).join('\n'))
  assert.equal(dist.fetchNode().status, 1)
  assert.deepEqual(readdirSync(dist.target), [])
})

test('nothing is fetched over plain HTTP', { skip }, () => {
  using dist = distribution()
  const args = ['deploy/fetch-node', 'http://127.0.0.1:9/dist', VERSION, dist.target]
  const { status, stderr } = spawnSync('bash', args, { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stderr, /Protocol "http" .*(?:disabled|not supported)/)
})
