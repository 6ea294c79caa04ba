import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

// Completes the SBOM that `npm sbom` has written. deploy/stage runs it in its folder, with the lock file on standard input, and the time of
// the commit in SOURCE_DATE_EPOCH.

const FILE = 'sbom.cdx.json'
const ALGORITHMS: Record<string, string> = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }

export interface Component {
  type: string
  name: string
  version: string
  hashes?: { alg: string; content: string }[]
  [more: string]: unknown
}

export interface Bom {
  bomFormat: string
  /** Random in each document of npm. */
  serialNumber?: string
  metadata: { timestamp?: string; component: Component }
  components: Component[]
}

export interface LockFile {
  name: string
  packages: Record<string, { version?: string; integrity?: string; dependencies?: Record<string, string> }>
}

/**
 * Adds the hash of every package from the lock file. npm does so itself only next to a lock file, and then leaves out packages that are
 * also development dependencies.
 */
export function withHashes(bom: Bom, lock: LockFile): Bom {
  const integrities = new Map(
    Object.entries(lock.packages).map(([path, { version, integrity }]) => [
      `${path.split('node_modules/').at(-1)}@${version}`,
      integrity,
    ]),
  )
  const components = bom.components.map((component) => {
    const integrity = integrities.get(`${component.name}@${component.version}`)
    if (integrity === undefined)
      throw new Error(`${component.name}@${component.version} has no hash in package-lock.json.`)
    return { ...component, hashes: integrity.split(' ').map(hashOf) }
  })
  // npm names the application after its folder.
  const component = { ...bom.metadata.component, name: lock.name }
  return { ...bom, metadata: { ...bom.metadata, component }, components }
}

function hashOf(integrity: string) {
  const [algorithm = '', digest = ''] = integrity.split('-', 2)
  const alg = ALGORITHMS[algorithm]
  if (alg === undefined) throw new Error(`package-lock.json has a hash of an unknown kind: ${algorithm}`)
  return { alg, content: Buffer.from(digest, 'base64').toString('hex') }
}

/** The same for each build of a commit: with the time of the commit, and without a serial number, which is optional. */
export function withTimeOfCommit({ serialNumber: _serialNumber, ...bom }: Bom, epochSeconds: number): Bom {
  const timestamp = new Date(epochSeconds * 1_000).toISOString()
  return { ...bom, metadata: { ...bom.metadata, timestamp } }
}

// What the console is built from. It is in the files that the browser gets, not in node_modules.
const BUNDLED = ['@fontsource-variable/inter', 'preact', '@preact/signals']

/** The packages inside the files of the console, with those that they need. */
export function bundledComponents(lock: LockFile): Component[] {
  const names = new Set(BUNDLED)
  // A set visits what is added to it on the way.
  for (const name of names)
    for (const needed of Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {})) names.add(needed)
  return Array.from(names, (name) => {
    const { version } = lock.packages[`node_modules/${name}`] ?? {}
    if (version === undefined) throw new Error(`${name}, which the console contains, is not in package-lock.json.`)
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    return { 'bom-ref': `${name}@${version}`, type: 'library', name, version, scope: 'required', purl }
  })
}

/** Node itself, which npm does not list once its package is pruned. */
function nodeComponent(version: string, binary: Buffer): Component {
  return {
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    hashes: [{ alg: 'SHA-256', content: hash('sha256', binary) }],
  }
}

if (import.meta.main) {
  const lock = JSON.parse(await text(process.stdin)) as LockFile
  const listed = JSON.parse(readFileSync(FILE, 'utf8')) as Bom
  const timed = withTimeOfCommit(listed, Number(process.env['SOURCE_DATE_EPOCH']))
  const bom = withHashes({ ...timed, components: [...timed.components, ...bundledComponents(lock)] }, lock)
  bom.components.push(nodeComponent(process.versions.node, readFileSync('bin/node')))
  writeFileSync(FILE, JSON.stringify(bom, null, 2))
}
