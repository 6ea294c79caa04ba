import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { createDatabase } from '../support/database.ts'

const LAUNCHER = join(import.meta.dirname, '../../petstore')
const VERSION = /^petstore \d+\.\d+\.\d+\S* \(commit /
// Without a Node, as on a machine that has only what the packages brought.
const commands = folder()
for (const name of ['realpath', 'sh']) symlinkSync(join('/bin', name), join(commands, name))

function folder() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'petstore-launcher-')))
  after(() => rmSync(path, { recursive: true }))
  return path
}

function run(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: tmpdir(),
    env: { PATH: commands },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('from another folder it runs the program on the Node of this clone, and returns its exit code', () => {
  const version = run(LAUNCHER, '--version')
  assert.deepEqual([version.status, version.stderr], [0, ''])
  assert.match(version.stdout, VERSION)
  const mistake = run(LAUNCHER, 'two words')
  assert.equal(mistake.status, 2)
  assert.match(mistake.stderr, /There is no command "two words"/)
})

test('it works through links, also one that is found by its name', () => {
  const links = folder()
  mkdirSync(join(links, 'a folder'))
  symlinkSync(LAUNCHER, join(links, 'a folder/first'))
  symlinkSync('a folder/first', join(links, 'second'))
  assert.match(run(join(links, 'second'), '--version').stdout, VERSION)
  symlinkSync(join(links, 'second'), join(commands, 'petstore'))
  assert.match(run('petstore', '--version').stdout, VERSION)
})

test('a signal reaches the program', async () => {
  const { url } = await createDatabase()
  const child = spawn(LAUNCHER, ['serve'], {
    env: { PATH: commands, DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0', DRAIN_DELAY: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // in a group of its own, so that a program that did not get the signal can be ended too
  })
  after(() => child.exitCode === 0 || process.kill(-child.pid!, 'SIGKILL'))
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('Server listening')) break
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
})

test('in a staged version it runs on the Node of that', () => {
  const staged = folder()
  cpSync(LAUNCHER, join(staged, 'petstore'))
  mkdirSync(join(staged, 'bin'))
  symlinkSync(process.execPath, join(staged, 'bin/node'))
  symlinkSync(join(LAUNCHER, '../src'), join(staged, 'src'))
  assert.match(run(join(staged, 'petstore'), '--version').stdout, VERSION)
})

test('before npm ci it says what to run, and where', () => {
  const clone = folder()
  cpSync(LAUNCHER, join(clone, 'petstore'))
  assert.deepEqual(run(join(clone, 'petstore'), 'dev'), {
    status: 1,
    stdout: '',
    stderr: `petstore: Its packages are not installed. Run \`npm ci\` in ${clone} first.\n`,
  })
})
