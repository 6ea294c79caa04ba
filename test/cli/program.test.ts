import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { createDatabase } from '../support/database.ts'
import { launch, petstore, petstoreProcess } from '../support/process.ts'

// Other tests run commands in their own process. Here the program does the same: it passes its arguments, environment,
// streams and exit code on. `serve`, `deliver`, `dev` and `verify` run as processes in tests of their own.

const { url } = await createDatabase()
const env = { DATABASE_URL: url }

const COMMAND_LINES: [args: string[], code: number, env?: NodeJS.ProcessEnv, input?: string][] = [
  [[], 0],
  [['--version'], 0],
  [['migrate', '--check'], 0, env],
  [['keys', 'find', '-'], 1, env, `${generateKey('live')}\n`],
  [['webhooks', 'list'], 0, env],
  [['import', '-', '--dry-run'], 3, env, '{}\n'],
  [['export'], 0, env],
  [['openapi'], 0],
  [['verify', '--base-url', 'http://127.0.0.1:1/v1'], 3, { PETSTORE_KEY: 'k' }],
  [['sevre'], 2],
  [['keys', 'list'], 1],
]
const withoutTimes = (text: string) => text.replaceAll(/\d+\.\d s, [\d,]+ lines\/s/g, '…')

for (const [args, expected, given, input] of COMMAND_LINES)
  test(`the program runs: petstore ${args.join(' ')} (exit code ${expected})`, async () => {
    const [program, here] = await Promise.all([petstoreProcess(args, given, input), petstore(args, given, input)])
    assert.equal(program.code, expected, program.stderr)
    assert.notEqual(program.stdout + program.stderr, '')
    for (const run of [program, here]) {
      run.stdout = withoutTimes(run.stdout)
      run.stderr = withoutTimes(run.stderr)
    }
    assert.deepEqual(program, here)
  })

test('a reader who closes the pipe early is no failure', async () => {
  const child = launch(['keys', 'list'], env)
  child.stdout.destroy()
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.equal(child.output.stderr, '')
})
