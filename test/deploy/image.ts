import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { globSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { type Bom, bundledComponents, type LockFile } from '../../deploy/sbom.ts'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { generateKey } from '../../src/lib/ids/key-format.ts'
import { caller } from '../support/app.ts'
import { Creators } from '../support/creators.ts'
import { createDatabase } from '../support/database.ts'
import { BOUNDS, PODMAN, podman, rightsOf } from './containers.ts'
import { findings } from './image-contents.ts'
import { assertHashesOfLockFile } from './lock-hashes.ts'

// Runs the image that deploy/container/build has made, confined as a careful operator would. Not part of `npm test`, since it
// needs podman, root and the image.

const IMAGE = 'petstore'
const MAX_BYTES = 350e6
const run = promisify(execFile)
const CONFINED = ['--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--security-opt=no-new-privileges']

const { url, pool } = await createDatabase({ empty: true })
const [port, adminPort] = [await freePort(), await freePort()]
const address = `http://127.0.0.1:${port}`
// By name on the command line, by value in the environment: nobody reads a password in the list of processes.
const settings = { DATABASE_URL: url, PORT: String(port), ADMIN_PORT: String(adminPort), DRAIN_DELAY: '1' }
const env = { ...process.env, ...settings }
const container = `petstore-test-${process.pid}`
const runImage = [
  ...PODMAN,
  'run',
  '--rm',
  '--network=host',
  ...BOUNDS,
  ...CONFINED,
  ...Object.keys(settings).map((name) => `--env=${name}`),
]

/** One command of the program, in a container of its own. */
async function petstore(...args: string[]) {
  const { stdout } = await run('podman', [...runImage, IMAGE, ...args], { env, maxBuffer: 16e6 })
  return stdout
}

const migrated = await petstore('migrate')
const key = await createKey()

async function createKey(...scopes: string[]) {
  const output = await petstore(
    'keys',
    'create',
    '--name=image',
    ...scopes.map((scope) => `--scope=${scope}`),
    '--json',
  )
  return (JSON.parse(output) as { key: string }).key
}

const tree = mkdtempSync(join(tmpdir(), 'petstore-image-'))
after(() => rmSync(tree, { recursive: true }))
const unpacked = await podman('create', IMAGE)
await run('sh', ['-c', `podman export ${unpacked} | tar -x -C ${tree}`])
await podman('rm', unpacked)

test('it is smaller than 350 MB, unpacked', (t) => {
  const bytes = (pattern: string) =>
    globSync(pattern, { cwd: tree })
      .map((file) => lstatSync(join(tree, file)))
      .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
  const [all, node, ours] = [bytes('**/{*,.*}'), bytes('petstore/bin/*'), bytes('petstore/**/{*,.*}')]
  const megabytes = (size: number) => `${(size / 1e6).toFixed(1)} MB`
  t.diagnostic(
    `${megabytes(all)}: base ${megabytes(all - ours)}, Node ${megabytes(node)}, ours ${megabytes(ours - node)}`,
  )
  assert.ok(node > 50e6 && ours - node > 1e6, 'all parts were found')
  assert.ok(all < MAX_BYTES)
})

test('it holds no secret, no package for developing, and a check that would find them', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  const atRunTime = Object.keys(packages).filter((path) => {
    const { dev, optional, devOptional } = packages[path]!
    return path !== '' && !dev && !optional && !devOptional
  })
  assert.deepEqual(findings(tree, atRunTime), [])

  const plants: Record<string, string> = {
    'petstore/.env': 'PORT=1',
    'petstore/node_modules/knip/package.json': '{}',
    'petstore/node_modules/fastify/node_modules/@types/node/package.json': '{}',
    'petstore/src/notes.txt': generateKey('live'),
    'etc/tls.pem': `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(16)}\n`,
    'etc/database': 'postgres://petstore:correct-horse@10.0.0.254:5000/petstore',
    'etc/npm': `//registry/:_authToken=npm_${'a1B2'.repeat(9)}`,
  }
  for (const [file, text] of Object.entries(plants)) {
    mkdirSync(join(tree, file, '..'), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  const found = findings(tree, atRunTime)
  for (const file of Object.keys(plants))
    assert.ok(
      found.some((finding) =>
        finding.startsWith(`${file.replace('/package.json', '').replace(/^petstore\/(?=node_)/, '')}:`),
      ),
      file,
    )
  assert.equal(found.length, Object.keys(plants).length)
  for (const file of Object.keys(plants)) rmSync(join(tree, file))
})

test('its SBOM lists exactly what is in it, each with its hash', () => {
  const bom = JSON.parse(readFileSync(join(tree, 'petstore/sbom.cdx.json'), 'utf8')) as Bom
  const { bomFormat, metadata, components } = bom
  assert.equal(bomFormat, 'CycloneDX')
  assert.equal(metadata.component.name, '@petstore/service')
  const listed = components.map(({ name, version }) => `${name}@${version}`)
  const manifests = globSync('petstore/**/node_modules/{*,@*/*}/package.json', { cwd: tree })
  const installed = manifests.map((file) => {
    const { name, version } = JSON.parse(readFileSync(join(tree, file), 'utf8')) as { name: string; version: string }
    return `${name}@${version}`
  })
  assert.ok(installed.length > 20)
  const node = `node@${process.versions.node}`
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile
  const inConsole = bundledComponents(lock).map(({ name, version }) => `${name}@${version}`)
  assert.deepEqual([...new Set(listed)].toSorted(), [...new Set([...installed, ...inConsole, node])].toSorted())

  const sha256 = hash('sha256', readFileSync(join(tree, 'petstore/bin/node')))
  assert.deepEqual(components.pop()?.hashes, [{ alg: 'SHA-256', content: sha256 }])
  assertHashesOfLockFile(components)
})

test('it has the console as it was built, and nothing that builds it', () => {
  const files = globSync('petstore/packages/**/*', { cwd: tree }).filter((path) => lstatSync(join(tree, path)).isFile())
  const names = files
    .map((path) => path.replace(/-[\w-]+(?=\.(?:js|css)(?:\.|$))/, ''))
    .filter((path) => !path.endsWith('.woff2'))
  const dist = 'petstore/packages/console/dist'
  assert.deepEqual(
    names.toSorted(),
    [
      ...[
        'assets/console.js',
        'assets/later.js',
        'assets/manage.js',
        'assets/style.css',
        'font.css',
        'index.html',
      ].flatMap((name) => ['', '.br', '.gz'].map((ending) => `${dist}/${name}${ending}`)),
      `${dist}/inter-license.txt`,
    ].toSorted(),
  )
})

test('there is no shell in it', async () => {
  const programs = globSync('**/{bin,sbin}/*', { cwd: tree, exclude: ['petstore/node_modules'] }).filter(
    (path) => (lstatSync(join(tree, path)).mode & 0o111) !== 0,
  )
  assert.deepEqual(programs, ['petstore/bin/node'])
  await assert.rejects(
    podman('run', '--rm', '--network=host', ...BOUNDS, '--entrypoint=/bin/sh', IMAGE, '-c', 'true'),
    /no such file|not found/,
  )
})

test('confined, it migrates, hands out keys, serves, and keeps every clause of the contract', async () => {
  assert.match(migrated, /The database is at this version now/)
  const reader = await createKey('pets:read')
  await using service = await serve()

  const proc = `/proc/${await podman('inspect', '--format={{.State.Pid}}', container)}`
  assert.deepEqual(rightsOf(readFileSync(`${proc}/status`, 'utf8')), {
    user: 65_532,
    group: 65_532,
    capabilities: 'none',
    mayGainMore: false,
  })
  assert.match(readFileSync(`${proc}/mountinfo`, 'utf8'), /^\d+ \d+ \S+ \S+ \/ ro,/m)
  await assert.rejects(podman('exec', container, 'node', '-e', `fs.writeFileSync('/petstore/x', '')`), /EROFS|EACCES/)

  const keys = { PETSTORE_KEY: key, PETSTORE_READ_KEY: reader }
  const names = Object.keys(keys).map((name) => `--env=${name}`) // their values stay out of the list of processes
  const { stdout: report } = await run(
    'podman',
    [...runImage, ...names, IMAGE, 'verify', `--base-url=${address}/v1`, '--json'],
    { env: { ...env, ...keys }, maxBuffer: 16e6 },
  )
  const { total, failed } = JSON.parse(report) as { total: number; failed: number }
  assert.equal(failed, 0, report)
  assert.ok(total > 200)
  assert.ok(!service.output().includes(key) && !service.output().includes(new URL(url).password))
})

test('the health check of compose.yaml reports whether it responds', async () => {
  await using _service = await serve()
  const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
    services: { service: { healthcheck: { test: string[] } } }
  }
  const check = (at: number) =>
    podman('exec', container, ...services.service.healthcheck.test.slice(1).map((arg) => arg.replace('8080', `${at}`)))
  await check(port)
  const unused = await freePort()
  await assert.rejects(check(unused))
})

test('SIGTERM under load: every request is served, nothing confirmed is missing, exit 0', async () => {
  await using service = await serve()
  const call = caller(address, key)
  const creators = new Creators(call, 16)
  while (creators.confirmed.length < 500) await call('/livez')
  creators.draining = true
  await podman('kill', '--signal=TERM', container)
  await creators.gone
  assert.equal(await service.exitCode, 0)
  assert.ok(creators.answeredWhileDraining > 0)
  await creators.assertAllStored(pool)
})

/** `petstore serve` in a container, listening; gone with this value. */
async function serve() {
  const child = spawn('podman', [...runImage.toSpliced(PODMAN.length + 1, 0, `--name=${container}`), IMAGE], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exitCode = once(child, 'close').then(([code]) => code as number)
  while (!output.includes('Server listening')) {
    const ended = await Promise.race([exitCode, once(child.stdout, 'data').then(() => undefined)])
    assert.equal(ended, undefined, output)
  }
  return {
    output: () => output,
    exitCode,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) await podman('kill', '--signal=KILL', container)
      await exitCode
    },
  }
}
