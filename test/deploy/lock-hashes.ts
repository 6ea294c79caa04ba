import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Component, LockFile } from '../../deploy/sbom.ts'

/** Every component has one hash, and it is the one that the lock file has of that package, byte for byte. */
export function assertHashesOfLockFile(components: Component[]) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile
  const locked = new Set(
    Object.entries(packages).map(([path, { version, integrity }]) => `${path} ${version} ${integrity}`),
  )
  assert.ok(components.length > 20)
  for (const { name, version, hashes } of components) {
    assert.equal(hashes?.length, 1, name)
    const [{ alg, content }] = hashes as [{ alg: string; content: string }]
    assert.equal(alg, 'SHA-512', name)
    const entry = `node_modules/${name} ${version} sha512-${Buffer.from(content, 'hex').toString('base64')}`
    assert.ok(
      [...locked].some((line) => line === entry || line.endsWith(`/${entry}`)),
      entry,
    )
  }
}
