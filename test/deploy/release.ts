import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

// Compares the release in .ci-release, which `deploy/release .ci-release` has made, with one that is built from another clone. Not part
// of `npm test`, since it takes minutes, and needs what deploy/release needs.

const RELEASE = '.ci-release'
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

const folder = mkdtempSync(join(tmpdir(), 'petstore-release-'))
after(() => rmSync(folder, { recursive: true }))

test('a release has these files, and SHA256SUMS the hash of each', () => {
  assert.deepEqual(
    readdirSync(RELEASE).toSorted(),
    [
      'SHA256SUMS',
      'openapi.json',
      `petstore-${version}-linux-x64.tar.gz`,
      `petstore-${version}-oci.tar`,
      `petstore-${version}-sbom.cdx.json`,
      `petstore-client-${version}.tgz`,
      'release-notes.md',
    ].toSorted(),
  )
  assert.match(readFileSync(join(RELEASE, 'release-notes.md'), 'utf8'), /^### Added$/m)
  assert.deepEqual(readFileSync(join(RELEASE, 'openapi.json')), readFileSync('openapi.json'))
})

test('compose.yaml in the tarball runs the image that the archive loads, with podman and with Docker', () => {
  const tree = `petstore-${version}-linux-x64`
  const archived = (archive: string, name: string) =>
    execFileSync('tar', ['-x', '-O', '-f', join(RELEASE, archive), name], { encoding: 'utf8' })
  const compose = archived(`${tree}.tar.gz`, `${tree}/deploy/compose.yaml`)
  const image = `petstore:${version}`
  assert.deepEqual(compose.match(/(?<=image: )petstore\S*/g), [image])
  const { manifests } = JSON.parse(archived(`petstore-${version}-oci.tar`, './index.json')) as {
    manifests: { annotations: Record<string, string> }[]
  }
  assert.equal(manifests[0]?.annotations['org.opencontainers.image.ref.name'], image)
  const [listed] = JSON.parse(archived(`petstore-${version}-oci.tar`, './manifest.json')) as [{ RepoTags: string[] }]
  assert.deepEqual(listed.RepoTags, [image])
})

test('a build of the same commit in another clone has the same bytes', () => {
  execFileSync('git', ['clone', '--quiet', '.', join(folder, 'clone')])
  const commit = (cwd: string) => execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' })
  assert.equal(commit(join(folder, 'clone')), commit('.'))
  // Where what depends on the time zone, the language or the rights of new files would differ.
  const env = { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8' }
  const build = 'umask 077 && deploy/release ../release'
  execFileSync('bash', ['-c', build], { cwd: join(folder, 'clone'), env, stdio: ['ignore', 'ignore', 'inherit'] })
  assert.deepEqual(hashesOf(join(folder, 'release')), hashesOf(RELEASE))
})

/** The hashes of the files, which SHA256SUMS must have too. */
function hashesOf(directory: string) {
  const names = readdirSync(directory).filter((name) => name !== 'SHA256SUMS')
  const lines = names.toSorted().map((name) => `${hash('sha256', readFileSync(join(directory, name)))}  ${name}`)
  const sums = readFileSync(join(directory, 'SHA256SUMS'), 'utf8').trim().split('\n')
  assert.deepEqual(sums.toSorted(), lines.toSorted())
  return lines
}
