import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { AUTHORITIES, Debian } from './support/debian.ts'
import { keepSecret, secretIn } from './support/secrets.ts'
import type { Session } from './support/session.ts'

// Runs every `sh` block of docs/operations.md as a new operator would: in order, in one session, as root, on a clean Debian with
// systemd that is made and booted for it, in namespaces of its own. Each line of the `text` block after it must be in its
// output. Not part of `npm test`, since it needs root and takes minutes.

const REPOSITORY = '/srv/petstore.git'
const ENVIRONMENT = [
  `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`,
  `PETSTORE_REPOSITORY=${REPOSITORY}`,
  'PETSTORE_NAME=pets.example',
]

const debian = new Debian()
const { tree } = debian

let session: Session
before(async () => {
  execFileSync('git', ['clone', '--quiet', '--bare', '.', join(tree, REPOSITORY)])
  session = await debian.boot(ENVIRONMENT)
})

for (const { section, command, expected } of blocksOf(readFileSync('docs/operations.md', 'utf8'))) {
  test(`operations.md, ${section}: ${command.split('\n')[0]}`, async () => {
    if (section === 'Upgrade') releaseNextVersion()
    const output = await session.run(command)
    for (const line of expected) assert.ok(output.includes(line), `${line} is missing from the output:\n${output}`)
  })
}

test('on that machine no key and no password is in a log, in the metrics or in the list of processes', async () => {
  const passwords = await session.run(
    'grep --no-filename --only-matching --extended-regexp "[0-9a-f]{48}" /etc/petstore/*.env',
  )
  for (const password of passwords.trim().split('\n')) keepSecret(password)
  const places = [
    'journalctl --quiet --no-pager',
    'cat /var/log/postgresql/*',
    'curl --silent 127.0.0.1:18081/metrics',
    'ps axww',
  ]
  const output = await session.run(places.join('; '))
  for (const each of ['Server listening', 'petstore_processes_ready', 'src/start.js serve'])
    assert.ok(output.includes(each), each)
  assert.equal(secretIn(output), undefined)
  assert.ok(passwords.length > 96 && secretIn(`${output}${passwords}`), 'it would be found')
})

test('on that machine nothing listens to the network but the balancer, on 443 and 80', async () => {
  const listening = await session.run('ss --listening --tcp --numeric --no-header')
  const addresses = listening.split('\n').flatMap((line) => line.split(/\s+/)[3] ?? [])
  const open = addresses.filter((address) => !/^(?:127\.|\[::1\])/.test(address))
  assert.deepEqual([...new Set(open)].toSorted(), ['0.0.0.0:443', '0.0.0.0:80'])
  assert.ok(addresses.length >= 8, listening) // both processes with their metrics, PostgreSQL, Redis, Prometheus
})

test('on that machine the balancer speaks TLS 1.2, and nothing older', async () => {
  const handshake = async (version: string) =>
    await session.run(`openssl s_client -connect pets.example:443 ${version} -cipher DEFAULT@SECLEVEL=0 2>&1 || true`)
  assert.match(await handshake('-tls1_2'), /^New, TLSv1\.2/m)
  assert.match(await handshake('-tls1_1'), /alert protocol version/)
})

/** Each `sh` block with its section, and the lines of a `text` block right after it. */
function blocksOf(page: string) {
  return page.split(/^## /m).flatMap((text) => {
    const section = text.split('\n', 1)[0] ?? ''
    const blocks = text.matchAll(/^```sh\n(?<command>.*?)^```$(?:\n\n```text\n(?<expected>.*?)^```$)?/gms)
    return Array.from(blocks, ({ groups = {} }) => ({
      section,
      command: groups['command'] ?? '',
      expected: (groups['expected'] ?? '').split('\n').filter(Boolean),
    }))
  })
}

/** The version that an operator upgrades to: this one, and a migration more. */
let isReleased = false
function releaseNextVersion() {
  if (isReleased) return
  isReleased = true
  const work = join(tree, 'srv/next')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=CI', '-c', 'user.email=ci@localhost', ...args], { cwd: work })
  execFileSync('git', ['clone', '--quiet', join(tree, REPOSITORY), work])
  writeFileSync(join(work, 'migrations/9001_pet_colour.sql'), 'alter table pets add column colour text;\n')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Add a colour')
  git('push', '--quiet')
}
