import { spawn } from 'node:child_process'
import { chmod, chown, cp, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

// PostgreSQL does not run as root; 65534 is the user `nobody` on every Linux. It gets no capability of root: a server that
// could read any file would give every file of the machine to its users.
const NOBODY = 65_534

const AS_NOBODY = [
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  '--inh-caps=-all',
  '--bounding-set=-all',
  '--no-new-privs',
]

// Reaches the working directory whatever the directories above it allow: `nobody` may not enter /root.
const HERE = '/proc/self/cwd'

function isRoot() {
  return process.platform === 'linux' && process.getuid?.() === 0
}

/** Starts a program of PostgreSQL with `data` as its working directory and `-D`. */
export function spawnOn(data: string, command: string, args: string[]) {
  const [program, ...rest] = isRoot() ? ['setpriv', ...AS_NOBODY, command, '-D', HERE] : [command, '-D', data]
  // Detached, so that Ctrl-C reaches only this process, which stops the server when it has finished.
  return spawn(program, [...rest, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'], cwd: data })
}

/** Gives a folder to the user that PostgreSQL runs as. */
export async function handOver(path: string) {
  if (isRoot()) await chown(path, NOBODY, NOBODY)
}

/** A folder that any user can read, with a copy of another one if any user can't read that; gone with the resources. */
export async function readableByAll(folder: string, resources: AsyncDisposableStack) {
  if (!isRoot() || (await canEnter(await realpath(folder)))) return folder
  const copy = await temporaryFolder(resources, 0o755)
  await cp(folder, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

/** A file with this text that only the user of PostgreSQL can read; gone with the resources. */
export async function secretFile(text: string, resources: AsyncDisposableStack) {
  const folder = await temporaryFolder(resources, 0o700)
  await handOver(folder)
  const file = join(folder, 'secret')
  await writeFile(file, text, { mode: 0o600 })
  await handOver(file)
  return file
}

async function temporaryFolder(resources: AsyncDisposableStack, mode: number) {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-postgres-'))
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, mode)
  return folder
}

async function canEnter(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || canEnter(dirname(folder))
}
