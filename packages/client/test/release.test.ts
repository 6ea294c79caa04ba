import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createPetstore } from '../src/index.ts'
import { evaluateInChromium, startPage } from './support/browser.ts'
import { startFaultyNetwork } from './support/faulty.ts'
import { createProject, PACKAGE, run, tool } from './support/project.ts'
import { NODE_26, startService } from './support/service.ts'

// What is published is tried as a caller has it: packed, installed in an empty project, and on a network that fails.

const PETS = 10_000
const LARGEST_BYTES = 8_000
const LARGEST_RECEIVER_BYTES = 2_000
const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022']

const { directory, tarball } = await createProject()
const page = await startPage(directory)
const { baseUrl, key } = await startService({ CORS_ORIGINS: page })
const network = await startFaultyNetwork(new URL(baseUrl).origin)
const compiled = run(directory, tool('tsc'), [...STRICT, '--module', 'nodenext', 'consumer.ts', 'readme.ts'])
const ready = Promise.all([compiled, fill()])

test('it type-checks in a strict project, with the programs of its README', async () => {
  await compiled
  const bundler = ['--noEmit', '--module', 'esnext', '--moduleResolution', 'bundler']
  await run(directory, tool('tsc'), [...STRICT, ...bundler, 'consumer.ts'])
  // Resolvers that know no `exports` take `main` and `types`.
  const old = ['--noEmit', '--module', 'esnext', '--moduleResolution', 'node10', '--ignoreDeprecations', '5.0']
  await run(directory, tool('tsc'), [...STRICT, ...old, 'consumer.ts'])
})

for (const [name, node] of [
  ['Node 22', join(PACKAGE, 'node_modules/node22/bin/node')],
  ['Node 24', join(PACKAGE, 'node_modules/node24/bin/node')],
  ['Node 26', NODE_26],
] as const)
  test(`${name}: it walks 10,000 pets, exact and complete, over a network that fails`, async () => {
    await ready
    assert.ok((await run(directory, node, ['--version'])).startsWith(`v${name.slice(-2)}.`))
    const program = `import { useClient } from './consumer.js'
      console.log(JSON.stringify(await useClient(process.env.BASE_URL, process.env.KEY)))`
    const env = { BASE_URL: network.baseUrl, KEY: key }
    assertUsed(JSON.parse(await run(directory, node, ['--input-type=module', '--eval', program], env)))
    assert.match(String(network.received.at(-1)?.headers['user-agent']), /^petstore-client\//)
  })

for (const [how, file] of [
  ['as it is', 'consumer.js'],
  ['bundled', 'bundle.js'],
])
  test(`Chromium, ${how}: it walks 10,000 pets, exact and complete, over a network that fails`, {
    timeout: 60_000,
  }, async () => {
    await ready
    await run(directory, tool('esbuild'), ['consumer.js', '--bundle', '--format=esm', '--outfile=bundle.js'])
    const call = `useClient(${JSON.stringify(network.baseUrl)}, ${JSON.stringify(key)})`
    assertUsed(await evaluateInChromium(page, `import('/${file}').then(({ useClient }) => ${call})`))
    assert.match(String(network.received.at(-1)?.headers['user-agent']), /^Mozilla\//)
  })

test('publint and attw find nothing', async () => {
  assert.match(await run(PACKAGE, tool('publint'), ['run', tarball, '--strict']), /All good/)
  await run(PACKAGE, tool('attw'), [tarball, '--ignore-rules', 'cjs-resolves-to-esm'])
})

test(`it is under ${LARGEST_BYTES} bytes, minified and gzipped`, async () => {
  await writeFile(join(directory, 'all.js'), `export * from '@petstore/client'`)
  const bundle = await run(directory, tool('esbuild'), ['all.js', '--bundle', '--minify', '--format=esm'])
  const bytes = gzipSync(bundle).length
  assert.ok(bytes > 1_000 && bytes < LARGEST_BYTES, `${bytes} bytes`)
})

test('a receiver of webhooks bundles no more than it needs', async () => {
  await writeFile(join(directory, 'receiver.js'), `export { verifyWebhook } from '@petstore/client'`)
  const bundle = await run(directory, tool('esbuild'), ['receiver.js', '--bundle', '--minify', '--format=esm'])
  assert.match(bundle, /webhook-signature/)
  assert.ok(gzipSync(bundle).length < LARGEST_RECEIVER_BYTES, `${gzipSync(bundle).length} bytes`)
})

test('it needs no other package, and says what is deprecated', async () => {
  const installed = join(directory, 'node_modules/@petstore/client')
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>
  assert.deepEqual(
    ['dependencies', 'peerDependencies', 'optionalDependencies'].filter((name) => name in manifest),
    [],
  )
  assert.match(await readFile(join(installed, 'dist/pets.d.ts'), 'utf8'), /@deprecated .*`list\({ ids: \[id\] }\)`/)
})

/** As many pets as a walk is to meet, the sample pets of `petstore dev` among them. */
async function fill() {
  const { pets } = createPetstore({ baseUrl, key })
  let left = PETS
  for await (const _ of pets.list({ status: 'available' })) left--
  const add = async () => {
    while (left-- > 0) await pets.create({ name: `pet ${left}`, categoryId: BigInt(left), status: 'available' })
  }
  await Promise.all(Array.from({ length: 32 }, add))
}

function assertUsed(report: unknown) {
  assert.deepEqual(report, {
    sold: ['3', true, true],
    currentVersion: '4',
    met: PETS,
    distinct: PETS,
    categoryIds: ['9223372036854775807', '-9223372036854775808'],
    written: '{"categoryId":9223372036854775807}',
    delivered: ['pet.created', '9223372036854775807', 'invalid_signature'],
    requestIds: true,
    refusal: { code: 'invalid_parameter', status: 400, hasRequestId: true },
  })
}
