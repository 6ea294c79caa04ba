import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { applicable, firstLook } from '../../acceptance/first-look.ts'
import type { Keys } from '../../acceptance/placeholders.ts'
import { clausesOf, verify } from '../../acceptance/run.ts'
import { select } from '../../acceptance/select.ts'
import { EmbeddedPostgres } from '../../src/cli/dev/embedded-postgres.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { withDatabase } from '../support/database-url.ts'
import type { Mutant } from './mutant.ts'

const PARTS = ['src', 'migrations', 'packages', 'test', 'acceptance', 'deploy/postgres', 'package.json']
const SERVICE = 'test/mutants/service.ts'
const TEMPLATE = 'mutants_template'
const TEST_TIMEOUT_MS = 40_000

type Broken = Pick<Mutant, 'name' | 'file' | 'edits'>

export interface Failed {
  /** The id of a clause, or the name of a test. */
  name: string
  why: string
}

export interface Service extends AsyncDisposable {
  failedClauses: (pattern: string) => Promise<Failed[]>
}

/** Copies of the sources to break, and one PostgreSQL for all of them. */
export class Workshop implements AsyncDisposable {
  readonly #home: string
  readonly #server: string
  readonly #resources: AsyncDisposableStack

  private constructor(home: string, server: string, resources: AsyncDisposableStack) {
    this.#home = home
    this.#server = server
    this.#resources = resources
  }

  static async open() {
    await using resources = new AsyncDisposableStack()
    const home = await mkdtemp(join(tmpdir(), 'petstore-mutants-'))
    resources.defer(() => rm(home, { recursive: true }))
    const server = resources.use(await EmbeddedPostgres.start(join(home, 'postgres'), ['max_connections=300']))
    await execute(server.url, `create database ${TEMPLATE}`)
    await migrate(withDatabase(server.url, TEMPLATE))
    return new Workshop(home, server.url, resources.move())
  }

  /** Returns those of the tests with these names that fail. */
  async failedTests(broken: Broken, file: string, names: readonly string[]): Promise<Failed[]> {
    await using copy = await this.#copyOf(broken)
    const options = ['--test', '--test-reporter=tap', '--test-force-exit', `--test-timeout=${TEST_TIMEOUT_MS}`]
    const setup = '--test-global-setup=test/support/global-setup.ts'
    const patterns = names.map((name) => `--test-name-pattern=${RegExp.escape(name)}`)
    const child = spawn(process.execPath, [...options, setup, ...patterns, file], {
      cwd: copy.directory,
      env: { ...process.env, DATABASE_URL: this.#server },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = outputOf(child.stdout, child.stderr)
    await once(child, 'close')
    const results = [...output.text.matchAll(/^ *(not )?ok \d+ - (.+)$/gm)].filter(([, , name = '']) =>
      names.some((part) => name.includes(part)),
    )
    if (results.length === 0) throw new Error(`no test of ${file} ran:\n${output.text}`)
    return results.filter(([, failed]) => failed !== undefined).map(([, , name = '']) => ({ name, why: output.text }))
  }

  /** Starts the service from sources that are broken so. */
  async start(broken: Broken): Promise<Service> {
    await using resources = new AsyncDisposableStack()
    const { directory } = resources.use(await this.#copyOf(broken))
    const database = `mutant_${broken.name.replaceAll('-', '_')}`
    await execute(this.#server, `create database ${database} template ${TEMPLATE}`)
    resources.defer(() => execute(this.#server, `drop database ${database} with (force)`))
    const service = fork(join(directory, SERVICE), {
      cwd: directory,
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: withDatabase(this.#server, database),
        PORT: '0',
        ADMIN_PORT: '0',
        WEBHOOK_MASTER_SECRET: 'a secret that signs nothing but mutants',
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const exited = once(service, 'exit')
    resources.defer(async () => {
      service.kill('SIGKILL')
      await exited
    })
    const output = outputOf(service.stderr)
    const started = await Promise.race([once(service, 'message'), exited.then(() => undefined)])
    if (!started) throw new Error(`the service did not start:\n${output.text}`)
    const { address, keys } = started[0] as { address: string; keys: Keys }
    const running = resources.move()
    return {
      failedClauses: (pattern) => failedClauses(new URL(`${address}/v1`), keys, pattern),
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    }
  }

  /** Not synchronous: while this process is blocked, it keeps no time for the clauses of other mutants. */
  async #copyOf({ name, file, edits }: Broken) {
    const directory = join(this.#home, name)
    const isWanted = (path: string) => !/(?:^|\/)(?:node_modules|dist)$/.test(path)
    for (const part of PARTS) await cp(part, join(directory, part), { recursive: true, filter: isWanted })
    await symlink(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'))
    let source = await readFile(file, 'utf8')
    for (const [find, replace] of edits) {
      if (!source.includes(find)) throw new Error(`${file} no longer contains ${find}`)
      source = source.replace(find, () => replace)
    }
    await writeFile(join(directory, file), source)
    return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, maxRetries: 3 }) }
  }

  async [Symbol.asyncDispose]() {
    await this.#resources.disposeAsync()
  }
}

/** Tries the clauses of this checkout, which are not broken. */
async function failedClauses(base: URL, keys: Keys, pattern: string) {
  const chosen = select(clausesOf('store', keys), [pattern])
  const obstacle = await firstLook(base, keys, chosen)
  if (obstacle !== undefined) throw new Error(obstacle)
  const { clauses } = await applicable(base, keys, chosen)
  if (clauses.length === 0) throw new Error(`no clause of ${pattern} can be tried`)
  const { outcomes } = await verify(base, keys, clauses, { onOutcome: () => {} })
  return outcomes.flatMap(({ clause, failure }): Failed[] =>
    failure ? [{ name: clause.id, why: `expected ${failure.expected}, seen ${failure.seen}` }] : [],
  )
}

function outputOf(...streams: (NodeJS.ReadableStream | null)[]) {
  const output = { text: '' }
  for (const stream of streams)
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output.text += text
    })
  return output
}

async function execute(url: string, sql: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}
