import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'

// What each part may import besides itself and Node. Whatever is not written here is forbidden.
const ALLOWED: Record<string, string[]> = {
  lib: [],
  // What depends on the inside of Node.
  node: [],
  // What pets, orders, events, keys and imports are: storage reads them, http prints them.
  'domain/types': ['lib'],
  storage: ['lib', 'domain/types', 'pg', 'pg-copy-streams', '@redis/client'],
  domain: ['lib', 'domain/types', 'storage'],
  jobs: ['lib', 'domain', 'storage'],
  // The JSON of the API, which a delivery contains too.
  'http/print': ['lib', 'domain/types'],
  delivery: ['lib', 'domain', 'domain/types', 'storage', 'http/print'],
  http: ['lib', 'node', 'domain', 'domain/types', 'http/print', 'fastify', 'typebox', 'ajv'],
  telemetry: [
    'lib',
    'node',
    'pino',
    'prom-client',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
  ],
  'config.ts': ['lib', 'typebox'],
  'store.ts': ['lib', 'storage', 'domain', 'jobs', 'delivery', 'pino'],
  'service.ts': ['config.ts', 'store.ts', 'lib', 'storage', 'domain', 'http', 'telemetry', 'pino'],
  // Telemetry for the supervisor of several processes, which has a log and metrics but must not load the service.
  cli: [
    'config.ts',
    'service.ts',
    'domain',
    'domain/types',
    'storage/postgres/migrate.ts',
    'lib',
    'telemetry',
    'pino',
    'acceptance',
  ],
  'main.ts': ['cli', 'lib'],
  // A black box: it knows the service by its URL only.
  acceptance: [],
}
// What may be imported as a type only.
const ALLOWED_TYPES: Record<string, string[]> = { http: ['telemetry'], 'store.ts': ['config.ts', 'telemetry'] }
// Leaves inside a part, with rules of their own.
const LEAVES = ['domain/types', 'http/print']
// Folders of http/, each of which knows no other.
const RESOURCES = globSync('src/http/*/routes.ts').map((file) => basename(dirname(file)))

// Tests that wait for a time, and why. All others wait for what must happen.
const SLEEPS: Record<string, string> = {
  'test/support/until.ts': 'waits for all others',
  'test/support/console-speed.ts': 'measures what shifts in the moments after a page has loaded',
  'test/tool-load.ts': 'sends requests at a rate',
  'test/upgrade.ts': 'sends requests at a rate',
  'test/observability/real-alerts.ts': 'stops a process, and locks a table, for longer than an alert allows',
  'test/browser/console/panel.ts': 'looks again and again inside the page, to measure milliseconds',
  'test/browser/console/search.ts': 'shows that nothing is sent while composing',
  'test/cli/serve.test.ts': 'takes the database away for as long as a switchover does',
  'test/cost.ts': 'looks whether a process still works',
  'test/fuzz/cpu.test.ts': 'measures what a pause costs',
  'test/storage/feed-connection.test.ts': 'PostgreSQL does not say when a setting has reached its processes',
  'test/storage/sequencer.test.ts': 'writers at random moments',
  'test/storage/standby.test.ts': 'PostgreSQL does not say when a setting has reached its processes',
}

const files = globSync(['src/**/*.ts', 'acceptance/**/*.ts'])
const imports = new Map(files.map((file) => [file, importsOf(file)]))

test('every file belongs to a part with rules', () => {
  assert.ok(files.length > 20)
  assert.deepEqual(
    files.filter((file) => !ALLOWED[partOf(file)]),
    [],
  )
})

test('imports go one way: http to domain to storage, and lib imports nothing', () => {
  const broken = [...imports].flatMap(([file, targets]) => {
    const part = partOf(file)
    const types = (ALLOWED_TYPES[part] ?? []).length > 0 ? typeImportsOf(file) : []
    const reach = [part, ...(ALLOWED[part] ?? [])]
    const allowed = (target: string) =>
      reach.includes(partOf(target)) ||
      reach.includes(target.replace(/^src\//, '')) ||
      (types.includes(target) && ALLOWED_TYPES[part]?.includes(partOf(target)))
    return targets.filter((target) => !allowed(target)).map((target) => `${file} -> ${target}`)
  })
  assert.deepEqual(broken, [])
})

test('storage and the domain know nothing of the JSON of the API: http prints it, and writes its cursors', () => {
  // Exports: PostgreSQL writes the line of each row itself, so that no row passes through Node.
  const EXCEPTIONS = ['src/storage/categories/copy.ts', 'src/storage/pets/copy.ts']
  const JSON_TEXT = /\{"\w+":|,"\w+":|"specversion"|\b(?:en|de)codeCursor\b|base64url|\w+Json\b/
  const below = files.filter((file) => ['storage', 'domain', 'domain/types'].includes(partOf(file)))
  const printing = below.filter((file) => JSON_TEXT.test(readFileSync(file, 'utf8')))
  assert.deepEqual(printing.toSorted(), EXCEPTIONS)
})

test('no resource of http/ imports another', () => {
  const resourceOf = (file: string) => RESOURCES.find((resource) => file.startsWith(`src/http/${resource}/`))
  assert.ok(RESOURCES.length >= 3, RESOURCES.join())
  const broken = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => resourceOf(file) && resourceOf(target) && resourceOf(file) !== resourceOf(target))
      .map((target) => `${file} -> ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('http/ has no store but that of the request, which the gate sets together with its principal', () => {
  const http = files.filter((file) => file.startsWith('src/http/'))
  const knowing = http.filter((file) => imports.get(file)?.some((target) => /^src\/domain\/stores?\.ts$/.test(target)))
  assert.deepEqual(knowing.toSorted(), ['src/http/gate/auth.ts', 'src/http/gate/gate.ts', 'src/http/gate/sessions.ts'])

  const lines = (pattern: RegExp, of = http) =>
    of.flatMap((file) => Array.from(readFileSync(file, 'utf8').matchAll(pattern), ([text]) => `${file}: ${text}`))
  assert.deepEqual(lines(/\b(?:request|req)\.(?:principal|store) = .*/g), [
    'src/http/gate/gate.ts: request.store = identified.store',
    'src/http/gate/gate.ts: request.principal = principal',
    'src/http/gate/gate.ts: request.store = store',
  ])
  // Behind the gate, neither `guards.store` nor `{ store }` of anything else.
  const behind = http.filter((file) => !file.startsWith('src/http/gate/'))
  assert.deepEqual(
    lines(/(?<!\brequest)\??\.store\b.*|\{[^{}]*\bstore\b[^{}]*\}(?: = (?!request\b)|: [A-Z]).*/g, behind),
    [],
  )
  // What holds the stores of all keys is passed on to the gate, and never looked into.
  assert.deepEqual(lines(/\bstores[?!]?(?:\.|\[).*/g, behind), [])
})

test('the fuzzer knows nothing of src: it judges by the contract alone', () => {
  const fuzzer = globSync('fuzz/**/*.ts')
  assert.ok(fuzzer.length > 20)
  const outward = fuzzer.flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('fuzz/') && target !== 'fast-check')
      .map((target) => `${file} -> ${target}`),
  )
  assert.deepEqual(outward, [])
})

test('the bench knows the service by its program, and takes only the packaged PostgreSQL from it', () => {
  const bench = globSync('bench/**/*.ts')
  assert.ok(bench.length > 5)
  const outward = bench.flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('bench/'))
      .filter((target) => !['pg', 'pg-copy-streams', 'src/cli/dev/embedded-postgres.ts'].includes(target))
      .map((target) => `${file} -> ${target}`),
  )
  assert.deepEqual(outward, [])
})

test('the fault runner knows the service by its program, and calls it as the published client and verify do', () => {
  const runner = globSync('faults/**/*.ts')
  assert.ok(runner.length > 10)
  const others = [
    'pg',
    'packages/client/src/index.ts',
    'src/cli/dev/embedded-postgres.ts',
    'bench/plot.ts',
    'bench/median-interval.ts',
    'bench/webhooks/receiver.ts',
    'bench/webhooks/rows.ts',
  ]
  const outward = runner.flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('faults/') && !target.startsWith('acceptance/'))
      .filter((target) => !others.includes(target))
      .map((target) => `${file} -> ${target}`),
  )
  assert.deepEqual(outward, [])
})

test('no import cycles, of types included', () => {
  const all = globSync(['{src,acceptance,bench,faults,fuzz}/**/*.ts', 'packages/*/src/**/*.{ts,tsx}'])
  for (const part of ['src', 'acceptance', 'bench', 'faults', 'fuzz', 'packages/client', 'packages/console'])
    assert.ok(all.filter((file) => file.startsWith(`${part}/`)).length > 10, part)
  const targets = new Map(all.map((file) => [file, importsOf(file)]))
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    assert.ok(!path.includes(file), `cycle: ${[...path, file].join(' -> ')}`)
    if (done.has(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of all) visit(file, [])
})

test('the client imports nothing but itself', () => {
  const client = globSync('packages/client/src/*.ts')
  assert.ok(client.length > 5)
  assert.deepEqual(
    client.flatMap(importsOf).filter((target) => !target.startsWith('packages/client/src/')),
    [],
  )
})

test('the console knows the service by the client, and imports nothing else but Preact', () => {
  const sources = globSync('packages/console/src/**/*.{ts,tsx}')
  assert.ok(sources.length > 20)
  // Names are made into words as the service does it.
  const others = ['preact', 'preact/hooks', '@preact/signals', '@petstore/client', 'src/lib/words.ts']
  const outward = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('packages/console/src/') && !others.includes(target))
      .map((target) => `${file} -> ${target}`),
  )
  assert.deepEqual(outward, [])
})

test('main.ts passes its environment, streams and signals to commands, which use no others', () => {
  // The samples of the documentation read the environment of their own programs.
  const ours = files.filter((file) => !file.startsWith('src/http/docs/samples/'))
  const users = (pattern: RegExp) => ours.filter((file) => pattern.test(readFileSync(file, 'utf8')))
  assert.deepEqual(users(/process\.(?:env|exitCode|cwd)\b/), ['src/main.ts'])
  // A worker gets its orders from its parent, and a service writes its own log.
  const byItself = users(/process\.(?:std\w+|on|once|exit)\b|console\.(?:log|error)/)
  assert.deepEqual(byItself.toSorted(), [
    'src/cli/serve/worker.ts',
    'src/main.ts',
    'src/node/stdout.ts',
    'src/telemetry/log-output.ts',
  ])
})

test('only src/node reads or replaces what Node keeps to itself', () => {
  // Fields with an underscore but for the one of MCP, the parser, what no documentation has, and methods that Node calls.
  const INSIDE =
    /(?:[.?'"]|\{ )_(?!meta\b)[a-z]|\bparser\?:|\.parser\b|\bon(?:ce)?\('socket'|httpAllowHalfOpen|\.(?:push|destroySoon|closeIdleConnections) = |getOwnPropertySymbols|createRequire|process\.(?:binding|moduleLoadList)/
  const users = files.filter((file) => INSIDE.test(readFileSync(file, 'utf8')))
  assert.deepEqual(users.toSorted(), [
    'src/node/connections.ts',
    'src/node/http.ts',
    'src/node/parser.ts',
    'src/node/stdout.ts',
  ])
})

test('no source file is over 300 lines', () => {
  assert.deepEqual(
    [
      ...files,
      ...globSync(['fuzz/**/*.ts', 'bench/**/*.ts', 'faults/**/*.ts', 'packages/console/**/*.{ts,tsx,css}']),
    ].filter((file) => readFileSync(file, 'utf8').split('\n').length > 301),
    [],
  )
})

test('no test sleeps: it waits for its condition, by test/support/until.ts', () => {
  const SLEEP =
    /^import \{[^}]*\bsetTimeout\b[^}]*\} from 'node:timers\/promises'|\bnew Promise\b.*\bsetTimeout\(|\bsetTimeout\(resolve\b|\bwaitForTimeout\(/m
  const tests = globSync(['test/**/*.ts', 'packages/client/test/**/*.ts'])
  assert.ok(tests.length > 200)
  assert.deepEqual(
    tests.filter((file) => SLEEP.test(readFileSync(file, 'utf8'))).toSorted(),
    Object.keys(SLEEPS).toSorted(),
  )
})

test('at run time there are at most 90 packages', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  const atRunTime = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional,
  )
  assert.ok(atRunTime.length > 8 && atRunTime.length <= 90, `${atRunTime.length} packages`)
})

test('no lock file records where its packages were downloaded', () => {
  for (const file of globSync('{package-lock.json,{packages,test}/*/package-lock.json}'))
    assert.ok(!readFileSync(file, 'utf8').includes('"resolved": "http'), file)
})

function importsOf(file: string) {
  const source = readFileSync(file, 'utf8')
  const fromStatements = source.matchAll(/^(?:import|export)\s(?:[^'"]*?from )?'([^']+)'/gm)
  const fromCalls = source.matchAll(/\bimport\('([^']+)'\)/g)
  return [...fromStatements, ...fromCalls]
    .map(([, name]) => name!)
    .map((name) => (name.startsWith('.') ? join(dirname(file), name) : name))
    .filter((name) => !name.startsWith('node:'))
}

/** The targets of which a file imports nothing but types. */
function typeImportsOf(file: string) {
  const source = readFileSync(file, 'utf8')
  const targets = (statements: RegExp) =>
    Array.from(source.matchAll(statements), ([, name]) => join(dirname(file), name!))
  const values = new Set(targets(/^(?:import|export)\s(?!type\b)(?:[^'"]*?from )?'([^']+)'/gm))
  return targets(/^(?:import|export) type [^'"]*?from '([^']+)'/gm).filter((target) => !values.has(target))
}

/** The part of src that a file belongs to; what comes from elsewhere is a part by itself. */
function partOf(target: string) {
  if (target.startsWith('acceptance/')) return 'acceptance'
  const leaf = LEAVES.find((folder) => target.startsWith(`src/${folder}/`))
  return leaf ?? (target.startsWith('src/') ? target.split('/')[1]! : target)
}
