import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'

interface Rule {
  description: string
  matchPackageNames?: string[]
  matchDepNames?: string[]
}

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

test('every rule of renovate.json says why it is there, and matches something that is used', () => {
  const manifests = ['package.json', 'packages/client/package.json'].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')) as Manifest,
  )
  const packages = manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  )
  const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
    services: Record<string, { image: string }>
  }
  const images = Object.values(services).map(({ image }) => image.split(/[:@]/)[0]!)
  const { packageRules } = JSON.parse(readFileSync('renovate.json', 'utf8')) as { packageRules: Rule[] }
  assert.ok(packageRules.length > 5)
  for (const { description, matchPackageNames = [], matchDepNames = [] } of packageRules) {
    assert.match(description, /\.$/)
    for (const name of [...matchPackageNames, ...matchDepNames])
      assert.ok(
        [...packages, ...images].some((used) => matchesGlob(used, name)),
        name,
      )
  }
})
