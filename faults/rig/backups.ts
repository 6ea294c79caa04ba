import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { end } from './end.ts'
import type { ClusterNode } from './node.ts'
import { AS_POSTGRES, DEPLOY, logOf, run, type Site } from './site.ts'
import { until } from './until.ts'

/** For any PostgreSQL, highly available or not. */
const SCRIPTS = join(DEPLOY, '../postgres')
const BEGUN_WITHIN_MS = 60_000

/** The machine that keeps the backups, as deploy/ha has it. It is in the runner's namespace. */
export class Backups implements AsyncDisposable {
  readonly #site: Site
  readonly #environment: NodeJS.ProcessEnv
  #receiver: ChildProcess | undefined

  private constructor(site: Site) {
    this.#site = site
    const environment = parseEnv(readFileSync(join(DEPLOY, 'backup.env'), 'utf8'))
    this.#environment = { PATH: '/usr/bin:/bin', ...environment, BACKUP_STORE: join(site.directory, 'backups') }
  }

  /** Writes WAL down from now on, and has a first copy. */
  static async begin(site: Site) {
    const backups = new Backups(site)
    await run('install', '-d', '-o', 'postgres', '-g', 'postgres', '-m', '700', backups.#store)
    backups.#receive()
    await until('WAL is written down', BEGUN_WITHIN_MS, async () => {
      return (await readdir(join(backups.#store, 'wal'))).length > 0
    })
    await backups.#script('backup')
    return backups
  }

  /** Makes the data of a node, of which nothing may be left: as of a moment, or as of the last that was written down. */
  async restore(node: ClusterNode, ...moment: string[]) {
    await this.#script('restore', node.dataDirectory, ...moment)
  }

  /** Writes nothing down any more; what was can still be restored. */
  async end() {
    await end(this.#receiver, 'SIGINT')
  }

  async [Symbol.asyncDispose]() {
    await this.end()
    await run('rm', '-rf', this.#store)
  }

  get #store() {
    return join(this.#site.directory, 'backups')
  }

  #receive() {
    const log = openSync(logOf(this.#site, 'receive-wal'), 'a')
    const [program, ...args] = [...AS_POSTGRES, join(SCRIPTS, 'receive-wal')]
    this.#receiver = spawn(program, args, { env: this.#environment, cwd: '/', stdio: ['ignore', log, log] })
    closeSync(log)
  }

  async #script(name: string, ...args: string[]) {
    const [program, ...rest] = [...AS_POSTGRES, join(SCRIPTS, name), ...args]
    await promisify(execFile)(program, rest, { env: this.#environment, cwd: '/' })
  }
}
