import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { EmbeddedPostgres } from '../src/cli/dev/embedded-postgres.ts'
import { withDatabase } from './support/database.ts'
import type { Mutant } from './support/mutant.ts'
import { MUTANTS } from './support/mutants.ts'
import { consoleSection, runConsoleMutants } from './support/run-console-mutants.ts'

// Breaks the service in one place at a time, and checks that `petstore verify` or the fuzzer fails.
//   npm run mutants [-- NAME…]
//   npm run mutants -- --console [NAME…]      the same for the console and its tests
// Without names it runs all of them and writes docs/mutants.md. Exits with 0 when none of those that ran escaped.

const REPORT = 'docs/mutants.md'
const FUZZ_REQUESTS = '4000'
const FUZZ_SEED = '7'
/** With webhooks that are delivered to this machine, so that the suites see that too. */
const SERVICE = 'test/support/serve-and-deliver.ts'

interface Outcome extends Mutant {
  verify: string
  /** Why clauses failed, with their ids. */
  causes: string[]
  fuzz: string
  caught: boolean
}

const names = process.argv.slice(2)
if (names[0] === '--console') process.exit((await runConsoleMutants(names.slice(1))) > 0 ? 1 : 0)
const chosen = MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name))
if (chosen.length < Math.max(1, names.length))
  throw new Error(`Name mutants out of: ${MUTANTS.map(({ name }) => name).join(', ')}`)

await using resources = new AsyncDisposableStack()
const home = mkdtempSync(join(tmpdir(), 'petstore-mutants-'))
resources.defer(() => rmSync(home, { recursive: true }))
const server = resources.use(await EmbeddedPostgres.start(join(home, 'postgres')))

const outcomes: Outcome[] = []
// A suite that fails on the healthy service proves nothing by failing on a broken one.
const healthy = await tryMutant({ name: 'healthy', what: 'nothing', file: 'src/start.js', edits: [] })
if (healthy.caught)
  throw new Error(
    [`The suites fail on the healthy service: ${healthy.verify}; ${healthy.fuzz}`, ...healthy.causes].join('\n'),
  )

for (const mutant of chosen) {
  const outcome = await tryMutant(mutant)
  outcomes.push(outcome)
  console.log(
    `${outcome.caught ? 'caught ' : 'ESCAPED'}  ${mutant.name.padEnd(34)} verify: ${outcome.verify}; fuzzer: ${outcome.fuzz}`,
  )
}

const caught = outcomes.filter((outcome) => outcome.caught).length
if (names.length === 0) writeFileSync(REPORT, report(outcomes, caught) + consoleSection(readFileSync(REPORT, 'utf8')))
console.log(`\n${caught} passed, ${outcomes.length - caught} failed`)
process.exitCode = outcomes.length > caught ? 1 : 0

async function tryMutant(mutant: Mutant): Promise<Outcome> {
  const directory = join(home, mutant.name)
  for (const part of ['src', 'migrations', 'acceptance', 'package.json', SERVICE])
    cpSync(part, join(directory, part), { recursive: true })
  symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'))
  const file = join(directory, mutant.file)
  const broken = mutant.edits.reduce(
    (source, [find, replace]) => {
      if (!source.includes(find)) throw new Error(`${mutant.name}: ${mutant.file} no longer contains ${find}`)
      return source.replace(find, () => replace)
    },
    readFileSync(file, 'utf8'),
  )
  writeFileSync(file, broken)

  const database = `mutant_${mutant.name.replaceAll('-', '_')}`
  await execute(`create database ${database}`)
  const env = {
    DATABASE_URL: withDatabase(server.url, database),
    PORT: '0',
    ADMIN_PORT: '0',
    WEBHOOK_MASTER_SECRET: 'a secret that signs nothing but mutants',
  }
  const petstore = (...args: string[]) => run(['src/start.js', ...args], directory, env)
  await petstore('migrate')
  const key = await createKey(petstore, '--scope', 'all')
  const readKey = await createKey(petstore, '--scope', 'pets:read')
  // What every key could do before there were more scopes, and what a new one can do if the operator names none.
  const petsKey = await createKey(petstore)

  const served = spawn(process.execPath, [SERVICE], { cwd: directory, env: { ...process.env, ...env } })
  try {
    const address = await listening(served.stdout)
    // The suites are the healthy ones; only the service is broken.
    const keys = ['--key', key, '--read-key', readKey, '--pets-key', petsKey]
    const verify = await run(
      ['src/start.js', 'verify', '--base-url', `${address}/v1`, '--profile', 'store', ...keys, '--json'],
      process.cwd(),
    )
    // Its findings here are not regressions of the service, so they are kept elsewhere.
    const regressions = join(directory, 'regressions.json')
    cpSync('fuzz/regressions.json', regressions)
    const service = ['--base-url', `${address}/v1`, '--key', key, '--earlier-key', petsKey]
    const sent = ['--requests', FUZZ_REQUESTS, '--seed', FUZZ_SEED, '--regressions', regressions]
    // What it finds in the healthy service must be seen.
    const stderr = mutant.edits.length === 0 ? 'inherit' : 'ignore'
    const fuzz = await run(['fuzz/main.ts', ...service, ...sent], process.cwd(), {}, stderr)
    return {
      ...mutant,
      ...verifyResult(verify.stdout),
      fuzz: fuzzResult(fuzz.stdout),
      caught: verify.code !== 0 || fuzz.code !== 0,
    }
  } finally {
    served.kill('SIGKILL')
  }
}

interface VerifyResult {
  failed: number
  total: number
  causes: { expected: string; seen: string; clauses: string[] }[]
}

type Run = { code: number | null; stdout: string }

async function createKey(petstore: (...args: string[]) => Promise<Run>, ...args: string[]) {
  const { stdout } = await petstore('keys', 'create', '--name', 'mutant', '--json', ...args)
  return (JSON.parse(stdout) as { key: string }).key
}

async function run(
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
  stderr: 'inherit' | 'ignore' = 'ignore',
): Promise<Run> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', stderr],
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout }
}

async function listening(stdout: NodeJS.ReadableStream) {
  let output = ''
  for await (const chunk of stdout) {
    output += String(chunk)
    const address = /Server listening at (http:[^"]+)"/.exec(output)?.[1]
    if (address) {
      // The rest of the output must be read too, or a full pipe would stop the service.
      stdout.resume()
      return address
    }
  }
  throw new Error(`The mutant did not start:\n${output}`)
}

function verifyResult(stdout: string) {
  try {
    const { failed, total, causes } = JSON.parse(stdout) as VerifyResult
    return {
      verify: `${failed} of ${total}`,
      causes: causes.map(({ expected, seen, clauses }) => `${clauses.join(', ')}: expected ${expected}, seen ${seen}`),
    }
  } catch {
    return { verify: 'no result', causes: [] }
  }
}

function fuzzResult(stdout: string) {
  try {
    const { violations, serverErrors } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, number>
    return `${violations} violations, ${serverErrors} × 5xx`
  } catch {
    return 'no result'
  }
}

async function execute(sql: string) {
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

function report(all: Outcome[], count: number) {
  const rows = all.map(
    ({ name, what, verify, fuzz, caught: was }) =>
      `| ${name} | ${what} | ${verify} | ${fuzz} | ${was ? 'yes' : '**no**'} |`,
  )
  return `# Mutants: the suites can fail

A suite that can't fail proves nothing. \`npm run mutants\` breaks the service in one place at a time, starts it, and runs
\`petstore verify --profile store\` and the fuzzer (${FUZZ_REQUESTS} requests) on it: at least one of them must fail. Last run on
${new Date().toISOString().slice(0, 10)}, two shared cores: **${count} of ${all.length} caught**.

| mutant | what is broken | verify: clauses that failed | fuzzer | caught |
|---|---|---|---|---|
${rows.join('\n')}
`
}
