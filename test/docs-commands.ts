import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { EmbeddedPostgres } from '../src/cli/dev/embedded-postgres.ts'

// Runs every `sh` block of README, CONTRIBUTING and docs as a new user would, in a fresh clone. It must print the `json` block that
// follows it, byte for byte. Not part of `npm test`, since it installs everything again.
//   npx node test/docs-commands.ts [README.md docs/events.md …]

const FIRST_RESPONSE_MS = 60_000
const SECOND_START_MS = 10_000
const LONG_RUNNING = /^\.\/petstore (?:dev|serve)$/
const RECEIVER = /examples\/receive\S*$/

// These need a machine of their own: test/operations.ts and test/deploy/install.ts run them.
const docs = globSync('docs/*.md', { exclude: ['docs/operations.md', 'docs/install.md'] }).toSorted()
const chosen = process.argv.slice(2)
// README installs what all of them need, and so is always the first.
const pages = [
  'README.md',
  ...['CONTRIBUTING.md', ...docs].filter((page) => chosen.length === 0 || chosen.includes(page)),
]
assert.deepEqual(
  chosen.filter((page) => !pages.includes(page)),
  [],
  'there are no such pages',
)

// README clones the repository into this folder; what follows runs in the clone.
const folder = mkdtempSync(join(tmpdir(), 'petstore-docs-'))
const clone = join(folder, 'petstore')
after(() => rmSync(folder, { recursive: true }))

// A database for the commands that need one.
const database = await EmbeddedPostgres.start(join(folder, 'docs-database'))
after(() => database[Symbol.asyncDispose]())
const environment = {
  PATH: withoutOurNode(process.env['PATH'] ?? ''),
  HOME: process.env['HOME'],
  // An empty folder in it shows how long the first installation takes.
  ...(process.env['npm_config_cache'] && { npm_config_cache: process.env['npm_config_cache'] }),
  PETSTORE_REPOSITORY: process.cwd(),
  DATABASE_URL: database.url,
}

// Commands that CI runs as steps of their own are not run again here.
const runByCi = ['.ci/run', '.ci/suites.sh'].flatMap((file) => readFileSync(file, 'utf8').split('\n'))
const coveredByCi = (command: string) => runByCi.some((line) => line.split(' >')[0]?.trim().endsWith(command))

const started = performance.now()
let running: Running | undefined
let receiver: Running | undefined
// CI ends it like this at its time limit: the service and PostgreSQL must not stay.
process.once('SIGTERM', () => {
  void Promise.all([running?.stop(), receiver?.stop(), database[Symbol.asyncDispose]()]).finally(() =>
    process.exit(143),
  )
})

for (const page of pages) {
  for (const { command, expected } of blocksOf(execFileSync('git', ['show', `HEAD:${page}`], { encoding: 'utf8' }))) {
    test(`${page}: ${command.split('\n')[0]}`, async () => {
      for (const part of partsOf(command)) {
        if (LONG_RUNNING.test(part)) {
          await running?.stop()
          running = await start(part)
          continue
        }
        if (RECEIVER.test(part)) {
          receiver = await start(part)
          continue
        }
        if (page !== 'README.md' && coveredByCi(part)) continue
        const output = await run(part)
        if (expected !== undefined) assert.equal(output, expected)
      }
    })
  }
  if (page === 'README.md') {
    test('from the clone to the first response it took less than a minute', (t) => {
      assert.ok(running)
      const took = running.readyAt - started
      t.diagnostic(`${(took / 1_000).toFixed(1)} s`)
      assert.ok(took < FIRST_RESPONSE_MS)
    })
    test('the second start takes less than ten seconds, and keeps the pets and the key', async () => {
      await running?.stop()
      const again = performance.now()
      running = await start('./petstore dev')
      assert.ok(running.readyAt - again < SECOND_START_MS)
      const [line] = /curl -H .*$/m.exec(running.output())!
      assert.match(await run(line.replace('curl', 'curl -s')), /"name":"Rex"/)
    })
  }
}

if (pages.includes('docs/events.md'))
  test('the receiver of webhooks has printed what docs/events.md says', () => {
    assert.match(
      receiver?.output() ?? '',
      /^webhook\.ping: webhooks\/wh_\w{20}\npet\.updated: 3 Bello the Bold is pending, /m,
    )
  })

test('Ctrl-C leaves nothing running', async () => {
  await Promise.all([running?.stop(), receiver?.stop()])
  const left = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandOf(pid))
    .filter((command) => command.includes(clone))
  assert.deepEqual(left, [])
})

interface Running {
  readyAt: number
  output: () => string
  stop: () => Promise<void>
}

/** In a process group of its own, so that it can be sent what Ctrl-C sends. */
async function start(command: string): Promise<Running> {
  const child = spawn('bash', ['-c', command], {
    cwd: clone,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => {
      if (/Ctrl-C stops|Server listening|Listening on/.test(output)) resolve()
    })
    child.once('exit', () => reject(new Error(`${command} ended:\n${output}`)))
  })
  return {
    readyAt: performance.now(),
    output: () => output,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      process.kill(-child.pid!, 'SIGINT')
      await exited
    },
  }
}

async function run(command: string) {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: existsSync(clone) ? clone : folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const [code] = (await once(child, 'close')) as [number]
  assert.equal(code, 0, `${command}\n${output}${errors}`)
  return output
}

/** Each `sh` block, with the `json` block that follows it, if there is one. */
function blocksOf(page: string) {
  const blocks = Array.from(page.matchAll(/^```(\w*)\n(.*?)^```$/gms), ([, language, text]) => ({
    language,
    text: text!.trim(),
  }))
  return blocks.flatMap(({ language, text }, i) => {
    const next = blocks[i + 1]
    return language === 'sh' ? [{ command: text, expected: next?.language === 'json' ? next.text : undefined }] : []
  })
}

/** The commands of a block; a command of several lines is one part. */
function partsOf(command: string) {
  return command.split(/(?<!\\)\n/)
}

function commandOf(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return '' // it has ended since
  }
}

/** `npm run` puts this clone's own programs first; a new user has only those of the machine. */
function withoutOurNode(path: string) {
  return path
    .split(':')
    .filter((directory) => !directory.includes('node_modules'))
    .join(':')
}
