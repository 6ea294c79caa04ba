import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Program } from '../rig/service.ts'
import type { Site } from '../rig/site.ts'

/** The last commit of 1.0.0: released/openapi.json is its interface. */
export const RELEASED = '56410dbef60c8a4ad94f141239801059670c1293'
const ROOT = new URL('../../', import.meta.url).pathname
// npm needs the network of the machine, in which main.ts runs.
const ON_THE_MACHINE = ['nsenter', `--net=/proc/${process.ppid}/ns/net`]

/** A version of the service, as it is installed. */
export interface Version {
  program: Program
  /** What roles.sql or grants.sql of that version say. */
  sql: (name: 'roles' | 'grants') => Promise<string>
}

/** The last release, from its tree. */
export async function released({ directory }: Site): Promise<Version> {
  const root = join(directory, 'released')
  await mkdir(root)
  const steps = `git archive ${RELEASED} | tar -x -C "$1"; cd "$1"; npm ci --omit=dev --omit=optional --ignore-scripts --loglevel=error`
  await onTheMachine('bash', '-euo', 'pipefail', '-c', steps, 'bash', root)
  return { program: [process.execPath, join(root, 'src/main.ts')], sql: sqlIn(root) }
}

/** This version, with the Node that it comes with: the installation that PETSTORE_INSTALLED names, or what deploy/stage makes. */
export async function installed({ directory }: Site): Promise<Version> {
  const root = process.env['PETSTORE_INSTALLED'] ?? join(directory, 'installed')
  if (process.env['PETSTORE_INSTALLED'] === undefined) await onTheMachine(join(ROOT, 'deploy/stage'), root)
  return { program: [join(root, 'bin/node'), join(root, 'src/start.js')], sql: sqlIn(ROOT) }
}

function sqlIn(root: string) {
  return (name: 'roles' | 'grants') => readFile(join(root, 'deploy/postgres', `${name}.sql`), 'utf8')
}

async function onTheMachine(...command: string[]) {
  const [program, ...args] = [...ON_THE_MACHINE, ...command] as [string, ...string[]]
  await promisify(execFile)(program, args, { cwd: ROOT })
}
