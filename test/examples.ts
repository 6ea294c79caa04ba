import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createPetstore } from '../packages/client/src/index.ts'
import { createProject, run, tool } from '../packages/client/test/support/project.ts'
import { NODE_26, startService } from '../packages/client/test/support/service.ts'
import { encodeCursor } from '../src/http/wire/cursor.ts'
import { throughout, until } from './support/until.ts'

// Runs the programs of examples/ against a real service, through a proxy that rejects or loses the first requests. Not part of
// `npm test`, since it needs Python and an installed packages/client.

/** More than two pages of a hundred. */
const PETS = 205
/** Longer than `follow` waits for an event. */
const QUIET_MS = 11_000
const CURSOR_OF_ANOTHER_STORE = encodeCursor('feed', 1n, 4_711n)
const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--module', 'nodenext']

const { baseUrl, key } = await startService()
const { pets, orders, categories } = createPetstore({ baseUrl, key })
await Promise.all(Array.from({ length: PETS }, (_, i) => pets.create({ name: `pet ${i}`, categoryId: 1n })))
const { directory } = await createProject()
for (const name of ['pets.ts', 'shop.ts', 'mirror.ts']) await copyFile(join('examples', name), join(directory, name))

/** What happens to the first requests, in this order. `lost`: the service handles the request, and the connection breaks. */
type Trouble = 503 | 429 | 'lost' | 'none'
const EXAMPLES: { name: string; command: [program: string, ...args: string[]]; troubles: Trouble[] }[] = [
  { name: 'curl.sh', command: ['bash', 'examples/curl.sh'], troubles: [503, 429] },
  { name: 'pets.ts', command: [NODE_26, join(directory, 'pets.ts')], troubles: [503, 'lost', 429] },
  { name: 'pets.py', command: ['python3', 'examples/pets.py'], troubles: [503, 'lost', 429] },
]

for (const { name, command, troubles } of EXAMPLES)
  test(`${name} adds one pet in spite of ${troubles.join(', ')}, waits as Retry-After says, and walks all pages`, async () => {
    const before = await countPets()
    const proxy = await startProxy([...troubles])
    const [program, ...args] = command
    const output = await run('.', program, args, { PETSTORE_URL: proxy.url, PETSTORE_KEY: key })
    const [, id = '', rest] = /^added (\d+) (.*)$/m.exec(output) ?? []
    assert.equal(rest, 'Momo 9223372036854775807')
    assert.match(output, new RegExp(`^${before + 1} pets$`, 'm'))
    assert.equal(await countPets(), before + 1)
    const { pets: found } = await pets.list({ ids: [BigInt(id)] }).page()
    assert.equal(found[0]?.categoryId, 9_223_372_036_854_775_807n)
    assert.ok(proxy.leastWaitMs() >= 1_000, `it waited ${proxy.leastWaitMs()} ms, and Retry-After said a second`)
  })

test('shop.ts sells in spite of lost responses, and its orders end as it says', async () => {
  // Of the list, of the first order placed, and of the second.
  const proxy = await startProxy([503, 'none', 'lost', 429, 'none', 'lost'])
  const [rex, whiskers] = (await pets.list({ status: 'available', limit: 2 }).page()).pets
  assert.ok(rex && whiskers)
  const output = await run('.', NODE_26, [join(directory, 'shop.ts')], { PETSTORE_URL: proxy.url, PETSTORE_KEY: key })
  assert.deepEqual(
    output
      .trim()
      .replaceAll(/ord_[\w-]+/g, 'ORDER')
      .replaceAll(/\d{4}-[\d-]+T[\d:.]+Z/g, 'TIME')
      .split('\n'),
    [
      'available: 1 Rex, 2 Whiskers',
      'reserved 1 Rex for 1 second: ORDER',
      'reserved 2 Whiskers until TIME: ORDER',
      'another buyer wants 2 Whiskers: 409 pet_not_available',
      'ORDER has expired; completing it now: 409 order_closed',
      'reserved 1 Rex again: ORDER',
      'cancelled ORDER',
      'completed ORDER: 2 Whiskers is sold',
      'taking the sale back without a version: 428 version_required',
      'taking it back with version 3: 2 Whiskers is available, version 4',
      'ORDER of pet 1: cancelled',
      'ORDER of pet 2: completed',
      'ORDER of pet 1: expired',
    ],
  )
  assert.deepEqual((await pets.list({ status: 'available', limit: 2 }).page()).pets, [rex, whiskers])
  const { orders: all } = await orders.list().page()
  assert.deepEqual(
    all.map(({ id }) => id),
    Array.from(output.matchAll(/^(ord_[\w-]+) of pet/gm), ([, id]) => id),
  )
})

test('mirror.ts copies all pets in spite of lost responses, prints each change, and stops with Ctrl-C', async () => {
  const proxy = await startProxy([503, 'lost', 'none', 429, 'lost'])
  const child = spawn(NODE_26, [join(directory, 'mirror.ts')], {
    env: { PATH: process.env['PATH'], PETSTORE_URL: proxy.url, PETSTORE_KEY: key },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const before = await countPets()
  const lines: string[] = []
  let momo = 0n
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (line.startsWith('copied')) {
      momo = (await pets.create({ name: 'Momo', categoryId: 1n })).id
      await pets.update(momo, { status: 'sold' })
      await pets.delete(momo)
    }
    if (line.startsWith(`pet.deleted: ${momo} `)) child.kill('SIGINT')
  }
  assert.deepEqual(lines, [
    `copied ${before} pets`,
    `pet.created: ${momo} Momo is without a status, version 1`,
    `pet.updated: ${momo} Momo is sold, version 2`,
    `pet.deleted: ${momo} Momo is sold, version 3`,
    `stopped with ${before} pets`,
  ])
  assert.deepEqual(await exited, [0, null])
})

test('agent.ts finds a pet, reserves it, reads the events and completes the order, with tools alone', async () => {
  const [pet] = (await pets.list({ status: 'available', limit: 1, view: 'full' }).page()).pets
  assert.ok(pet)
  await categories.put(pet.categoryId, 'Dog')
  const max = await pets.create({ name: 'Max', categoryId: pet.categoryId, status: 'available' })
  const output = await run('.', NODE_26, ['examples/agent.ts'], { PETSTORE_URL: baseUrl, PETSTORE_KEY: key })
  const [order] = (await orders.list({ petId: pet.id }).page()).orders
  assert.deepEqual(output.trim().split('\n'), [
    'protocol 2026-07-28, tools: find_pets, add_pet, change_pet, list_categories, find_orders, order_pet, close_order, read_events',
    'Rex, Dog, is available',
    'other dogs that are free: Max',
    `found ${pet.id} ${pet.name}, version ${pet.version}`,
    `reserved ${pet.name}: ${order?.id}`,
    `another buyer wants ${pet.name}: 409 pet_not_available`,
    `last event: order.placed, ${pet.name} is pending`,
    `completed ${order?.id}`,
    `${pet.name} is sold, version ${pet.version + 2n}`,
  ])
  assert.equal(order?.status, 'completed')
  // As it was, for the other examples.
  await pets.delete(max.id)
  await categories.delete(pet.categoryId)
  await pets.update(pet.id, { status: 'available' }, { ifMatch: pet.version + 2n })
})

test('search.ts finds pets by what they are called now, also after its cursor has expired', {
  timeout: 60_000,
}, async () => {
  const file = join(directory, 'search.db')
  const env = { PETSTORE_URL: baseUrl, PETSTORE_KEY: key, SEARCH_INDEX: file }
  const search = (...args: string[]) => run('.', NODE_26, ['examples/search.ts', ...args], env)
  const { id } = await pets.create({ name: 'Laika the First', categoryId: 1n })
  const other = await pets.create({ name: 'Laika the Second', categoryId: 1n })
  for (let i = 0; i < 3; i++) await search('update')
  assert.equal(await search('find', 'laika'), `${id} Laika the First\n${other.id} Laika the Second\n`)

  const following = spawn(NODE_26, ['examples/search.ts', 'follow'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'ignore',
  })
  after(() => following.kill('SIGKILL'))
  await throughout(QUIET_MS, () => following.exitCode === null)
  await pets.update(id, { name: 'Strelka', status: 'sold' })
  await pets.delete(other.id)
  const found = () => search('find', 'strelka OR laika')
  await until(async () => (await found()) === `${id} Strelka sold\n`)
  following.kill('SIGKILL')
  await once(following, 'exit')

  // As after a restore: a cursor of another store, and an index that has pets which this store does not.
  const index = new DatabaseSync(file)
  index.prepare('update feed set next = ?').run(`${baseUrl}/events?cursor=${CURSOR_OF_ANOTHER_STORE}`)
  index.exec(`insert into pets (rowid, name, status, version) values (999999, 'Belka', '', 1)`)
  index.close()
  await search('update')
  assert.equal(await search('find', 'strelka OR belka'), `${id} Strelka sold\n`)
})

test('pets.ts, shop.ts and mirror.ts compile in a strict project', async () => {
  const nodeTypes = ['--types', 'node', '--typeRoots', join(process.cwd(), 'node_modules/@types'), '--skipLibCheck']
  await run(directory, tool('tsc'), [...STRICT, ...nodeTypes, 'pets.ts', 'shop.ts', 'mirror.ts'])
})

test('a wrong key ends each with the message of the service', async () => {
  const others: [string, ...string[]][] = [
    [NODE_26, join(directory, 'shop.ts')],
    [NODE_26, join(directory, 'mirror.ts')],
    [NODE_26, 'examples/search.ts', 'update'],
  ]
  for (const [program, ...args] of [...EXAMPLES.map(({ command }) => command), ...others]) {
    const SEARCH_INDEX = join(directory, 'wrong.db')
    const wrong = { PETSTORE_URL: baseUrl, PETSTORE_KEY: `${key.slice(0, -1)}x`, SEARCH_INDEX }
    await assert.rejects(run('.', program, args, wrong), /invalid_credentials/)
  }
  // Of a connection that fails, the SDK reports no more.
  const wrong = { PETSTORE_URL: baseUrl, PETSTORE_KEY: 'noise' }
  await assert.rejects(run('.', NODE_26, ['examples/agent.ts'], wrong), /HTTP 401/)
})

test('README.md of the examples names each of them', async () => {
  const page = await readFile('examples/README.md', 'utf8')
  for (const name of await readdir('examples')) assert.ok(name === 'README.md' || page.includes(`(${name})`), name)
})

async function countPets() {
  let count = 0
  for await (const _ of pets.list()) count++
  return count
}

/** Forwards to the service, but for the first requests. */
async function startProxy(troubles: Trouble[]) {
  let [rejectedAt, leastWaitMs] = [0, Number.POSITIVE_INFINITY]
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    if (rejectedAt > 0) leastWaitMs = Math.min(leastWaitMs, performance.now() - rejectedAt)
    rejectedAt = 0
    const trouble = troubles.shift()
    if (trouble === 503 || trouble === 429) {
      rejectedAt = performance.now()
      const code = trouble === 503 ? 'unavailable' : 'rate_limited'
      const message = 'Try again later.'
      const headers = { 'content-type': 'application/json', 'retry-after': '1', 'request-id': 'proxy' }
      response.writeHead(trouble, headers).end(JSON.stringify({ code, message, status: trouble }))
      return
    }
    const { method = 'GET', headers, url = '' } = request
    const { authorization = '', 'content-type': type, 'idempotency-key': idempotencyKey, 'if-match': version } = headers
    const forwarded = await fetch(new URL(url, baseUrl), {
      method,
      headers: {
        authorization,
        ...(type && { 'content-type': type }),
        ...(typeof idempotencyKey === 'string' && { 'idempotency-key': idempotencyKey }),
        ...(version && { 'if-match': version }),
      },
      ...(body.length > 0 && { body }),
    })
    const text = await forwarded.text()
    if (trouble === 'lost') request.socket.destroy()
    else response.writeHead(forwarded.status, Object.fromEntries(forwarded.headers)).end(text)
  }
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, leastWaitMs: () => leastWaitMs }
}
