import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Operation, Request } from './operations.ts'

const run = promisify(execFile)

// As the service's own connections have them.
const SETTINGS = '-c jit=off -c plan_cache_mode=force_generic_plan'
// More than wrk sends, up to a few seconds: repeated requests would find their pets in memory, and no pet is sold twice.
const REQUESTS_PER_SECOND = 40_000
/** Sales that are prepared for each second. */
export const SALES_PER_SECOND = 6_000
const MAX_REQUESTS = 200_000

export interface Load {
  connections: number
  seconds: number
  /** How many pets there are to read. */
  pets: number
}

export interface Rate {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/** PostgreSQL alone: pgbench sends the statement, prepared, one at a time on each connection. */
export async function measureBare(url: string, operation: Operation, load: Load, tries = 3): Promise<Rate> {
  return inScratch(async (directory) => {
    await writeFile(join(directory, 'script.sql'), operation.bare)
    const { stdout } = await tool(
      'pgbench',
      [
        '--no-vacuum',
        '--protocol=prepared',
        `--client=${load.connections}`,
        `--jobs=${Math.min(2, load.connections)}`,
        `--time=${load.seconds}`,
        `--file=${join(directory, 'script.sql')}`,
        `--define=pets=${load.pets}`,
        // A tenth of the latencies is enough for a percentile, and costs pgbench next to nothing.
        '--log',
        `--log-prefix=${join(directory, 'log')}`,
        '--sampling-rate=0.1',
        ...connectionArguments(url),
      ],
      { PGPASSWORD: new URL(url).password, PGOPTIONS: SETTINGS },
    )
    const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0)
    if (failed > 0) throw new Error(`${failed} statements of pgbench failed`)
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    // Connecting counts too: if the machine stalls meanwhile, no time is left to measure. The next try has more of it.
    if (!(perSecond > 0) && tries > 1)
      return measureBare(url, operation, { ...load, seconds: 4 * load.seconds }, tries - 1)
    if (!(perSecond > 0)) throw new Error(`pgbench reported no rate, three times: ${stdout}`)
    return { perSecond: perSecond * (operation.requestsPerScript ?? 1), ...percentiles(await readLatencies(directory)) }
  })
}

type Sendable = Pick<Operation, 'request' | 'requestsPerScript'>

/** As many requests as can be sent in that time. */
export function prepare({ request, requestsPerScript = 1 }: Sendable, { seconds, pets }: Load) {
  const most = requestsPerScript > 1 ? SALES_PER_SECOND : REQUESTS_PER_SECOND
  return Array.from({ length: Math.min(MAX_REQUESTS, seconds * most) }, () => request(pets))
}

/** The service: wrk sends requests that were prepared, the next one on each connection when the response has arrived. */
export async function measureService(
  url: string,
  key: string,
  operation: Sendable,
  load: Load,
  requests: Request[] = prepare(operation, load),
): Promise<Rate> {
  return inScratch(async (directory) => {
    const lines = requests.map(
      ({ method, path, key: once = '', next = '', body }) => `${method}\t${path}\t${once}\t${next}\t${body}\n`,
    )
    await writeFile(join(directory, 'requests'), lines.join(''))
    // In a file, not in an argument: every user of the machine can read those.
    await writeFile(join(directory, 'key'), key, { mode: 0o600 })
    const { stdout } = await tool('wrk', [
      '--threads=1',
      `--connections=${load.connections}`,
      `--duration=${load.seconds}s`,
      '--timeout=10s',
      `--script=${new URL('wrk.lua', import.meta.url).pathname}`,
      url,
      '--',
      directory,
    ])
    const { failed, ...rate } = JSON.parse(stdout.slice(stdout.indexOf('{"'))) as Rate & { failed: number }
    if (failed > 0) throw new Error(`${failed} requests failed`)
    return rate
  })
}

async function tool(name: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  return run(name, args, { env: { ...process.env, ...env } }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new Error(`${name} is missing; on Debian, \`apt-get install ${name === 'wrk' ? 'wrk' : 'postgresql-15'}\``)
    throw error
  })
}

function connectionArguments(url: string) {
  const { hostname, port, username, pathname } = new URL(url)
  return ['--host', hostname, '--port', port, '--username', username, pathname.slice(1)]
}

async function readLatencies(directory: string) {
  const names = (await readdir(directory)).filter((name) => name.startsWith('log'))
  const logs = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
  return logs.flatMap((log) => log.trimEnd().split('\n')).map((line) => Number(line.split(' ')[2]) / 1_000)
}

export function percentiles(latencies: number[]) {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

export function median(values: number[]) {
  return percentiles(values).p50
}

export function medianRate(rates: Rate[]): Rate {
  return {
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    p50: median(rates.map(({ p50 }) => p50)),
    p99: median(rates.map(({ p99 }) => p99)),
  }
}

async function inScratch<T>(use: (directory: string) => Promise<T>) {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-bench-'))
  try {
    return await use(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}
