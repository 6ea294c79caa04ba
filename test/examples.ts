import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createPetstore } from '../packages/client/src/index.ts'
import { createProject, run, tool } from '../packages/client/test/support/project.ts'
import { NODE_26, startService } from '../packages/client/test/support/service.ts'

// Runs the programs of examples/ against a real service, through a proxy that rejects or loses the first requests. Not part of
// `npm test`, since it needs Python and an installed packages/client.

/** More than two pages of a hundred. */
const PETS = 205
const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--module', 'nodenext']

const { baseUrl, key } = await startService()
const { pets, orders } = createPetstore({ baseUrl, key })
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

test('pets.ts, shop.ts and mirror.ts compile in a strict project', async () => {
  const nodeTypes = ['--types', 'node', '--typeRoots', join(process.cwd(), 'node_modules/@types'), '--skipLibCheck']
  await run(directory, tool('tsc'), [...STRICT, ...nodeTypes, 'pets.ts', 'shop.ts', 'mirror.ts'])
})

test('a wrong key ends each with the message of the service', async () => {
  const others = ['shop.ts', 'mirror.ts'].map((name): [string, string] => [NODE_26, join(directory, name)])
  for (const [program, ...args] of [...EXAMPLES.map(({ command }) => command), ...others]) {
    const wrong = { PETSTORE_URL: baseUrl, PETSTORE_KEY: `${key.slice(0, -1)}x` }
    await assert.rejects(run('.', program, args, wrong), /invalid_credentials/)
  }
})

test('README.md of the examples names each of them', async () => {
  const page = await readFile('examples/README.md', 'utf8')
  for (const name of [...EXAMPLES.map((example) => example.name), 'shop.ts', 'mirror.ts'])
    assert.ok(page.includes(`(${name})`), name)
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
