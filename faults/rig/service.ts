import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { end } from './end.ts'
import { logOf, type Site } from './site.ts'
import { until } from './until.ts'

/** No version may need to be started from its own folder, or from this checkout. */
export const OUTSIDE = '/'

/** What starts a version of the program: its Node, and its entry. */
export type Program = readonly [node: string, entry: string]

/** Of this checkout. */
export const PROGRAM: Program = [process.execPath, new URL('../../src/start.js', import.meta.url).pathname]

/** One command of the program, to its end. */
export async function petstore(databaseUrl: string, ...args: string[]) {
  return await petstoreOn({ DATABASE_URL: databaseUrl }, ...args)
}

/** The same with other variables too. */
export async function petstoreOn(variables: NodeJS.ProcessEnv, ...args: string[]) {
  return await petstoreOf(PROGRAM, variables, ...args)
}

/** The same of any version. */
export async function petstoreOf([node, entry]: Program, variables: NodeJS.ProcessEnv, ...args: string[]) {
  const env = { PATH: process.env['PATH'], ...variables }
  const { stdout } = await promisify(execFile)(node, [entry, ...args], { env, cwd: OUTSIDE })
  return stdout
}

/** A key that may do everything, and leave any number of orders open. */
export async function createKey(databaseUrl: string, program = PROGRAM) {
  const command = (...args: string[]) => petstoreOf(program, { DATABASE_URL: databaseUrl }, 'keys', ...args)
  const text = await command('create', '--name', 'faults', '--scope', 'all', '--json')
  const { id, key } = JSON.parse(text) as { id: string; key: string }
  await command('limit', id, '--open-orders', '100000')
  return key
}

/** One process of the service, as production runs it. */
export class ServiceProcess {
  readonly name: string
  readonly address: string
  readonly #site: Site
  readonly #environment: NodeJS.ProcessEnv
  #process: ChildProcess | undefined

  constructor(site: Site, name: string, address: string, databaseUrl: string, environment: NodeJS.ProcessEnv = {}) {
    this.name = name
    this.address = address
    this.#site = site
    this.#environment = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '1', // as the unit and the image have it
      DATABASE_URL: databaseUrl,
      HOST: address,
      PORT: '8080',
      ADMIN_HOST: address,
      ADMIN_PORT: '9090',
      LOG_LEVEL: 'warn',
      ...environment,
    }
  }

  get pid() {
    return this.#process?.pid ?? 0
  }

  start([node, entry] = PROGRAM) {
    const log = openSync(logOf(this.#site, this.name), 'a')
    const options = { env: this.#environment, cwd: OUTSIDE }
    this.#process = spawn(node, [entry, 'serve'], { ...options, stdio: ['ignore', log, log] })
    closeSync(log)
  }

  /** Waits until it is ready for requests. */
  async ready() {
    await until(`${this.name} is ready`, 60_000, async () => {
      return (await fetch(`http://${this.address}:8080/readyz`, { signal: AbortSignal.timeout(1_000) })).ok
    })
  }

  /** By SIGTERM, after which it drains, or by SIGKILL; returns when it has ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL') {
    await end(this.#process, signal)
  }
}
