import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { createDatabase } from '../support/database.ts'
import { AUTHORITIES, Debian } from '../support/debian.ts'
import { Session } from '../support/session.ts'

// Installs the files of a release as docs/install.md says, without the clone: the tarball on a clean Debian, by the README.md in it, the
// image with podman, the client in an empty folder. Not part of `npm test`, since it needs root, podman, and a release in .ci-release,
// which `deploy/release .ci-release` makes.

const RELEASE = '.ci-release'
const MOST_COMMANDS = 10
const PET = /\{"id":1,"name":"Rex","categoryId":7\}/

const folder = mkdtempSync(join(tmpdir(), 'petstore-install-'))
after(() => rmSync(folder, { recursive: true }))
const page = readFileSync('docs/install.md', 'utf8')

test('from the tarball to the first pet on a clean Debian, in at most ten commands', async (t) => {
  const debian = new Debian()
  const [tarball] = copy(join(debian.tree, 'root'), '*-linux-x64.tar.gz', 'SHA256SUMS')
  const readmeOf = `${basename(tarball!, '.tar.gz')}/README.md`
  const readme = execFileSync('tar', ['-x', '-O', '-f', tarball!, readmeOf], { encoding: 'utf8' })
  const commands = commandsOf(readme)
  assert.deepEqual(commands, commandsOf(sectionOf('Debian 12')))
  assert.ok(commands.length > 5 && commands.length <= MOST_COMMANDS, `${commands.length} commands`)

  const session = await debian.boot([`NODE_EXTRA_CA_CERTS=${AUTHORITIES}`])
  await session.run('cd')
  const began = performance.now()
  let output = ''
  for (const command of commands) {
    const at = performance.now()
    output = await session.run(command)
    t.diagnostic(`${seconds(at)} s: ${command}`)
  }
  t.diagnostic(`${commands.length} commands, ${seconds(began)} s`)
  assert.match(output, PET)
  assert.match(await session.run('systemctl is-enabled petstore; systemctl is-active petstore'), /^enabled\nactive\n/)
  const listening = await session.run('ss --listening --tcp --numeric --no-header')
  assert.doesNotMatch(listening, /(?:0\.0\.0\.0|\*|\[::\]):\d+ /, 'nothing listens to the network')
})

test('from the archive of the image to the first pet, with podman', async () => {
  const { url } = await createDatabase({ empty: true })
  const [port, adminPort] = [await freePort(), await freePort()]
  copy(folder, '*-oci.tar')
  writeFileSync(join(folder, 'petstore.env'), `DATABASE_URL=${url}\nPORT=${port}\nADMIN_PORT=${adminPort}\n`)
  // What also works within a virtual machine that is itself confined.
  writeFileSync(
    join(folder, 'containers.conf'),
    `[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\nlog_driver = "none"
[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\n`,
  )
  const session = new Session(['env', `CONTAINERS_CONF=${folder}/containers.conf`])
  after(async () => {
    await session.run('podman rm --force --time 0 petstore')
    session.end()
  })
  await session.run(`cd ${folder}`)
  let output = ''
  for (const command of commandsOf(sectionOf('The image')))
    output = await session.run(command.replace(':8080', `:${port}`))
  assert.match(output, PET)
})

test('the client is installed in an empty folder, and loaded', () => {
  copy(folder, 'petstore-client-*.tgz')
  const [command, ...more] = commandsOf(sectionOf('The client'))
  assert.deepEqual(more, [])
  const load = `import('@petstore/client').then(({ createPetstore }) => console.log(typeof createPetstore))`
  execFileSync('bash', ['-c', command!], { cwd: folder, stdio: 'ignore' })
  assert.equal(execFileSync('node', ['-e', load], { cwd: folder, encoding: 'utf8' }), 'function\n')
})

test('every command of the page is one of these', () => {
  const sections = ['Debian 12', 'The image', 'The client']
  assert.deepEqual(
    commandsOf(page),
    sections.flatMap((section) => commandsOf(sectionOf(section))),
  )
})

/** Copies files of the release, as a user has downloaded them. */
function copy(to: string, ...patterns: string[]) {
  return patterns.map((pattern) => {
    const [name] = globSync(pattern, { cwd: RELEASE })
    if (name === undefined) throw new Error(`${RELEASE} has no ${pattern}: run \`deploy/release ${RELEASE}\`.`)
    copyFileSync(join(RELEASE, name), join(to, name))
    return join(to, name)
  })
}

function sectionOf(heading: string) {
  return page.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? ''
}

/** The commands in `sh` blocks, one in each line. */
function commandsOf(markdown: string) {
  const blocks = Array.from(markdown.matchAll(/^```sh\n(.*?)^```$/gms), ([, text = '']) => text)
  return blocks.flatMap((text) => text.trim().split('\n'))
}

function seconds(since: number) {
  return ((performance.now() - since) / 1_000).toFixed(1)
}
