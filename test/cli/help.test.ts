import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SCOPES } from '../../src/domain/principal.ts'
import { createDatabase } from '../support/database.ts'
import { petstore } from '../support/process.ts'

const COMMANDS = [
  'dev',
  'serve',
  'migrate',
  'doctor',
  'keys',
  'orders',
  'sessions',
  'webhooks',
  'sandbox',
  'erase',
  'search',
  'import',
  'export',
  'openapi',
  'verify',
]

test('the help names every command', async () => {
  for (const args of [['--help'], ['help'], ['-h'], []]) {
    const { code, stdout } = await petstore(args)
    assert.equal(code, 0)
    for (const command of COMMANDS) assert.match(stdout, new RegExp(`^  petstore ${command} `, 'm'))
  }
})

for (const command of COMMANDS) {
  test(`petstore ${command} --help describes that command with all its options, and no other`, async () => {
    const { code, stdout } = await petstore([command, '--help'])
    assert.equal(code, 0)
    const described = Array.from(stdout.matchAll(/^petstore (\w+)/gm), ([, name]) => name)
    assert.deepEqual(new Set(described), new Set([command]))
    for (const option of optionsIn(`src/cli/${command}.ts`)) assert.ok(stdout.includes(`--${option}`), option)
  })
}

test('the help of keys has the options of create, the scopes and the defaults', async () => {
  const { stdout } = await petstore(['keys', 'create', '--help'])
  for (const option of optionsIn('src/cli/keys/create.ts')) assert.ok(stdout.includes(`--${option}`), option)
  for (const scope of SCOPES) assert.ok(stdout.includes(scope), scope)
  assert.match(stdout, /--scope .*\(default: pets:read and pets:write\)/)
  assert.match(stdout, /--expires .*\(default: 365d\)/)
  assert.match(stdout, /--rate-limit .*\(default: none\)/)
  assert.match(stdout, /overlap ends \(default: 24h\)/)
})

test('a mistake is one line, with a suggestion, and another says where the help is', async () => {
  const mistakes: [args: string[], line: string][] = [
    [['sevre'], 'There is no command "sevre". Did you mean serve?'],
    [['frobnicate'], 'There is no command "frobnicate".'],
    [['keys', 'creat'], 'Did you mean create?'],
    [['import', 'pets.csv', '--fromat', 'csv'], "Unknown option '--fromat'. Did you mean --format?"],
    [['serve', '--port', '9'], "Unknown option '--port'."],
    [['migrate', 'now'], "Unexpected argument 'now'. This command does not take positional arguments."],
  ]
  for (const [args, line] of mistakes) {
    const { code, stdout, stderr } = await petstore(args)
    assert.equal(code, 2)
    assert.equal(stdout, '')
    const [first = '', ...rest] = stderr.split('\n')
    assert.ok(first.endsWith(line), first)
    const isKnown = COMMANDS.includes(args[0]!)
    const help = isKnown ? `Run petstore ${args[0]} --help for the options.` : 'Run petstore --help for the commands.'
    assert.deepEqual(rest, [help, ''])
  }
})

test('help is a word like any other after a command', async () => {
  const { url } = await createDatabase()
  const run = (...args: string[]) => petstore(args, { DATABASE_URL: url })
  const created = await run('keys', 'create', '--name', 'help', '--json')
  assert.deepEqual([created.code, (JSON.parse(created.stdout) as { name: string }).name], [0, 'help'])
  for (const [args, sentence] of [
    [['keys', 'revoke', 'help'], 'There is no key "help".'],
    [['import', 'help', '--format', 'ndjson'], "Can't read help: ENOENT"],
  ] as const) {
    const { code, stdout, stderr } = await run(...args)
    assert.deepEqual([code, stdout], [1, ''])
    assert.ok(stderr.includes(sentence), stderr)
  }
  for (const option of ['--help', '-h'])
    assert.match((await run('keys', 'create', option)).stdout, /^petstore keys create/)
})

function optionsIn(file: string) {
  const source = readFileSync(file, 'utf8')
  return Array.from(source.matchAll(/^ +'?([a-z-]+)'?: \{ type: '(?:string|boolean)'/gm), ([, name = '']) => name)
}
