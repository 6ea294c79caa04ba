import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export type BuildInfo = ReturnType<typeof readBuildInfo>

/**
 * Which version of the program this is: from package.json, where deploy/stage notes the commit, or from a git clone. Commits between two
 * releases have the version of the next one with `-dev`, so the commit is added.
 */
export function readBuildInfo(root = ROOT) {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const version = textOf(manifest, 'version') ?? 'unknown'
  const commit = textOf(manifest, 'gitHead') ?? commitOf(root)
  if (commit === undefined) return { version, commit: 'unknown' }
  return { version: version.endsWith('-dev') ? `${version}+${commit.slice(0, 7)}` : version, commit }
}

function textOf(manifest: unknown, field: string) {
  const value: unknown = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, field) : undefined
  return typeof value === 'string' ? value : undefined
}

/** The commit that is checked out, read without git, which need not be installed. */
function commitOf(root: string) {
  const folder = gitFolder(root)
  const head = read(join(folder, 'HEAD'))
  const ref = /^ref: (?<ref>.+)$/.exec(head)?.groups?.['ref']
  const commit = ref === undefined ? head : refIn(folder, ref)
  return /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined
}

/** A worktree has a file that names its folder. */
function gitFolder(root: string) {
  const linked = /^gitdir: (?<folder>.+)$/.exec(read(join(root, '.git')))?.groups?.['folder']
  return linked === undefined ? join(root, '.git') : resolve(root, linked)
}

/** A worktree shares its branches with the clone it belongs to. */
function refIn(folder: string, ref: string) {
  const shared = resolve(folder, read(join(folder, 'commondir')) || '.')
  const packed = read(join(shared, 'packed-refs')).split('\n')
  return read(join(shared, ref)) || (packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? '')
}

function read(path: string) {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
