import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../src/cli/dev/embedded-postgres.ts'
import { listenersOn, signalFamily } from './processes.ts'

/** The program of this checkout. */
export const PROGRAM = new URL('../src/start.js', import.meta.url).pathname
const run = promisify(execFile)

export interface Service extends AsyncDisposable {
  url: string
  pid: number
}

/** One command of the program, to its end. */
export async function petstore(
  databaseUrl: string,
  args: string[],
  program = PROGRAM,
  overrides: NodeJS.ProcessEnv = {},
) {
  const { stdout } = await run(process.execPath, [program, ...args], {
    env: { ...environment(databaseUrl), ...overrides },
  })
  return stdout
}

/** One command of the program, as a process that the caller watches and may end. */
export function spawnPetstore(databaseUrl: string, args: string[], program = PROGRAM) {
  return spawn(process.execPath, [program, ...args], {
    env: environment(databaseUrl),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** `options` are those of `petstore keys create`. */
export async function createKey(databaseUrl: string, program = PROGRAM, ...options: string[]) {
  const created = await petstore(databaseUrl, ['keys', 'create', '--name', 'bench', '--json', ...options], program)
  return (JSON.parse(created) as { key: string }).key
}

/** The service as production runs it: its log goes to a file. */
export async function startService(
  databaseUrl: string,
  workers: number,
  overrides: NodeJS.ProcessEnv = {},
  program = PROGRAM,
): Promise<Service> {
  const port = await freePort()
  // No balancer has to notice that it shuts down.
  const own = { PORT: String(port), ADMIN_PORT: '0', WORKERS: String(workers), DRAIN_DELAY: '0', ...overrides }
  // Only when all of its processes listen: the system spreads connections over those that do.
  const isReady = () => listenersOn(port) >= workers
  const process = await start([program, 'serve'], { ...environment(databaseUrl), ...own }, isReady)
  return Object.assign(process, { url: `http://127.0.0.1:${port}` })
}

/** `petstore deliver`, as production runs it. */
export async function startDeliver(databaseUrl: string, overrides: NodeJS.ProcessEnv): Promise<Omit<Service, 'url'>> {
  const env = { ...environment(databaseUrl), ADMIN_PORT: '0', ...overrides }
  return await start([PROGRAM, 'deliver'], env, (log) => log.includes('Delivering webhooks'))
}

async function start(args: string[], env: NodeJS.ProcessEnv, isReady: (log: string) => boolean) {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-bench-'))
  const logFile = join(directory, 'log')
  const log = await open(logFile, 'w')
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', log.fd, 'inherit'] })
  await log.close()
  const exited = once(child, 'exit')
  for (let text = ''; !isReady(text); await sleep(20)) {
    text = await readFile(logFile, 'utf8')
    if (child.exitCode !== null) throw new Error(`petstore ${args[1] ?? ''} ended: ${text}`)
  }
  return {
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      // An interrupted run may have left it stopped.
      if (child.exitCode === null) signalFamily(child.pid ?? 0, 'SIGCONT')
      await exited
      await rm(directory, { recursive: true })
    },
  }
}

function environment(databaseUrl: string) {
  return { PATH: process.env['PATH'], NODE_ENV: 'production', DATABASE_URL: databaseUrl }
}
