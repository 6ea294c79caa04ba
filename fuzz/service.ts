import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const MAIN = new URL('../src/start.js', import.meta.url).pathname
const START_MS = 60_000

export interface Service extends AsyncDisposable {
  address: string
  key: string
  /** A key with the scopes that keys had before there were orders. */
  earlierKey: string
  pid: number
  /** Its output, if it exited on its own; undefined while it runs. */
  ended: () => string | undefined
}

/** A service for this run alone: on the database of `databaseUrl`, else as `petstore dev` makes one. */
export async function startService(databaseUrl: string | undefined): Promise<Service> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-fuzz-'))
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    PORT: String(port),
    ADMIN_PORT: '0',
    LOG_LEVEL: 'warn',
    WEBHOOK_MASTER_SECRET: 'a secret that signs nothing but fuzz',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
  if (databaseUrl !== undefined) await finished(launch(['migrate'], directory, env))
  const createKey = async (...scopes: string[]) => {
    const { output } = await finished(launch(['keys', 'create', '--name', 'fuzz', '--json', ...scopes], directory, env))
    return (JSON.parse(output()) as { key: string }).key
  }
  // Orders are left open by the thousand.
  const allowOpenOrders = async () => {
    const { output } = await finished(launch(['keys', 'list', '--json'], directory, env))
    for (const { id } of JSON.parse(output()) as { id: string }[])
      await finished(launch(['keys', 'limit', id, '--open-orders', '100000'], directory, env))
  }
  const service = launch([databaseUrl === undefined ? 'dev' : 'serve'], directory, env)
  await listening(service, port)
  // The key of `petstore dev` may do everything.
  const key = await (databaseUrl === undefined
    ? readFile(join(directory, '.petstore', 'key'), 'utf8')
    : createKey('--scope', 'all'))
  await allowOpenOrders()
  return {
    address: `http://127.0.0.1:${port}`,
    key,
    // In the sandbox of `petstore dev`, as its key.
    earlierKey: await createKey(
      '--scope',
      'pets:read',
      '--scope',
      'pets:write',
      ...(databaseUrl === undefined ? ['--test'] : []),
    ),
    pid: service.child.pid ?? 0,
    ended: () => (hasEnded(service.child) ? `${service.output()}${service.errors()}` : undefined),
    async [Symbol.asyncDispose]() {
      if (!hasEnded(service.child)) {
        const exited = once(service.child, 'exit')
        service.child.kill('SIGINT')
        await exited
      }
      await rm(directory, { recursive: true })
    },
  }
}

interface Launched {
  child: ChildProcess
  output: () => string
  errors: () => string
}

function launch(args: string[], cwd: string, env: NodeJS.ProcessEnv): Launched {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // However this process exits, the service is stopped too.
  process.once('exit', () => child.kill('SIGINT'))
  let [output, errors] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-20_000)))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-20_000)))
  return { child, output: () => output, errors: () => errors }
}

async function finished(launched: Launched) {
  const [code] = (await once(launched.child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${launched.output()}${launched.errors()}`)
  return launched
}

async function listening({ child, output, errors }: Launched, port: number) {
  const deadline = performance.now() + START_MS
  while (performance.now() < deadline && !hasEnded(child)) {
    if (await accepts(port)) return
    await sleep(50)
  }
  throw new Error(`The service did not start:\n${output()}${errors()}`)
}

async function accepts(port: number) {
  const socket = connect(port, '127.0.0.1')
  const accepted = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  return accepted
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function hasEnded({ exitCode, signalCode }: ChildProcess) {
  return exitCode !== null || signalCode !== null
}
