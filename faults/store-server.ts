import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgres, freePort } from '../src/cli/dev/embedded-postgres.ts'
import { run, type Site, signal } from './rig/site.ts'
import { until } from './rig/until.ts'
import { query } from './stored.ts'

/** What a new PostgreSQL with its WAL takes, and some more. In memory, so that no other disk is filled. */
const DISK = '700m'
const BACK_WITHIN_MS = 60_000

/** The PostgreSQL of one store of several, on a small disk of its own: what happens to it does not concern those of the others. */
export class StoreServer {
  readonly url: string
  readonly #directory: string
  readonly #settings: readonly string[]
  #server: EmbeddedPostgres

  private constructor(directory: string, port: number, settings: readonly string[], server: EmbeddedPostgres) {
    this.#directory = directory
    this.#settings = settings
    this.#server = server
    const url = new URL(server.url)
    url.port = String(port)
    this.url = url.href
  }

  /** Gone with the resources. */
  static async start({ directory }: Site, name: string, resources: AsyncDisposableStack) {
    const own = join(directory, name)
    await mkdir(own, { recursive: true })
    await run('mount', '-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', own)
    resources.defer(async () => void (await run('umount', '--lazy', own)))
    // It has the same port after it was killed.
    const port = await freePort()
    const settings = [`port=${port}`, 'max_wal_size=128MB']
    const server = new StoreServer(own, port, settings, await EmbeddedPostgres.start(own, settings))
    resources.defer(async () => {
      await server.resume()
      await server.#server[Symbol.asyncDispose]()
    })
    return server
  }

  /** It stands still, and its connections stay open. */
  async freeze() {
    signal(await this.#processes(), 'SIGSTOP')
  }

  async resume() {
    signal(await this.#processes(), 'SIGCONT')
  }

  async kill() {
    signal(await this.#processes(), 'SIGKILL')
    await this.#server[Symbol.asyncDispose]()
  }

  async startAgain() {
    this.#server = await EmbeddedPostgres.start(this.#directory, [...this.#settings])
  }

  async fillDisk() {
    const filling = run('dd', 'if=/dev/zero', `of=${this.#ballast}`, 'bs=64k', 'status=none')
    await filling.catch((error: unknown) => {
      if (!String(error).includes('No space left')) throw error
    })
  }

  /** PostgreSQL may have exited for want of WAL. */
  async clearDisk() {
    await rm(this.#ballast)
    await until('PostgreSQL is back', BACK_WITHIN_MS, async () => {
      if ((await this.#processes()).length === 0) await this.startAgain()
      return (await query(this.url, 'select 1 as alive')).length === 1
    })
  }

  /** As before a migration that this version needs. Returns what the next one needs. */
  async makeOutdated() {
    const [last] = await query<{ name: string; checksum: string }>(
      this.url,
      'delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, checksum',
    )
    await query(this.url, 'alter table pets rename to former_pets')
    return async () => {
      await query(this.url, 'alter table former_pets rename to pets')
      await query(this.url, 'insert into schema_migrations values ($1, $2)', [last?.name, last?.checksum])
    }
  }

  get #ballast() {
    return join(this.#directory, 'ballast')
  }

  /** The one that starts all others comes first. */
  async #processes() {
    const [first = ''] = (await readOrNothing(join(this.#directory, 'data/postmaster.pid'))).split('\n')
    const others = first === '' ? '' : await readOrNothing(`/proc/${first}/task/${first}/children`)
    return [first, ...others.split(' ')].filter((pid) => pid !== '' && isAlive(pid)).map(Number)
  }
}

async function readOrNothing(file: string) {
  return await readFile(file, 'utf8').catch(() => '')
}

function isAlive(pid: string) {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}
