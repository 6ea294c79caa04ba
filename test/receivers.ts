import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { createPetstore } from '../packages/client/src/index.ts'
import { createProject, PACKAGE, run, tool } from '../packages/client/test/support/project.ts'
import { NODE_26, startService } from '../packages/client/test/support/service.ts'
import { signatureOf, webhookSecret } from '../src/lib/webhook-secret.ts'
import { until } from './support/until.ts'

// Runs the receivers of examples/ as processes, with requests that are signed here, and with those of a real service. Not part of `npm test`, since it needs Python and an installed packages/client.

const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--module', 'nodenext']
const SECRET = webhookSecret('a master secret', 'wh_1', 1)
const OTHER_SECRET = webhookSecret('a master secret', 'wh_1', 2)

const { baseUrl, key } = await startService()
const { pets, orders, webhooks } = createPetstore({ baseUrl, key })
const { directory } = await createProject()
const PROGRAMS = ['receive-express.ts', 'receive-fastify.ts']
for (const name of PROGRAMS) await copyFile(join('examples', name), join(directory, name))
// What `npm install express fastify` gives a caller, at the versions of the lock files.
await mkdir(join(directory, 'node_modules/@types'), { recursive: true })
for (const [name, from] of [
  ['fastify', '.'],
  ['express', PACKAGE],
  ['@types/express', PACKAGE],
] as const)
  await symlink(resolve(from, 'node_modules', name), join(directory, 'node_modules', name))

const RECEIVERS: [name: string, program: string, file: string][] = [
  ...PROGRAMS.map((name): [string, string, string] => [name, NODE_26, join(directory, name)]),
  ['receive.py', 'python3', 'examples/receive.py'],
]

for (const [name, program, file] of RECEIVERS) {
  test(`${name} accepts and prints what was signed, exact to the last digit`, async () => {
    const { url, printed } = await start(program, file)
    const largest = '9223372036854775807'
    const pet = `{"id":${largest},"name":"Полли","categoryId":1,"status":"sold","version":9007199254740993}`
    assert.equal(await deliver(url, eventOf('pet.updated', `pets/${largest}`, `{"pet":${pet}}`)), 204)
    assert.equal(await printed(), `pet.updated: ${largest} Полли is sold, version 9007199254740993`)
    const bare = '{"id":7,"name":"Rex","categoryId":1,"version":1}'
    assert.equal(await deliver(url, eventOf('pet.created', 'pets/7', `{"pet":${bare}}`)), 204)
    assert.equal(await printed(), 'pet.created: 7 Rex is without a status, version 1')
    for (const [type, subject] of [
      ['webhook.ping', 'webhooks/wh_1'],
      ['pets.imported', 'pets'],
      ['of.a-later-version', 'things/1'],
    ] as const) {
      assert.equal(await deliver(url, eventOf(type, subject, '{}')), 204)
      assert.equal(await printed(), `${type}: ${subject}`)
    }
  })

  test(`${name} accepts an event that comes again, and prints it once`, async () => {
    const { url, printed } = await start(program, file)
    const event = eventOf('webhook.ping', 'webhooks/wh_1', '{}')
    for (let i = 0; i < 3; i++) assert.equal(await deliver(url, event), 204)
    assert.equal(await deliver(url, eventOf('webhook.ping', 'webhooks/wh_2', '{}')), 204)
    assert.deepEqual([await printed(), await printed()], ['webhook.ping: webhooks/wh_1', 'webhook.ping: webhooks/wh_2'])
  })

  test(`${name} accepts both secrets while one is rotated, and no other signature`, async () => {
    const { url, printed } = await start(program, file)
    const event = eventOf('webhook.ping', 'webhooks/wh_1', '{}')
    assert.equal(await deliver(url, event, { secrets: [OTHER_SECRET] }), 400)
    assert.equal(await deliver(url, event, { secrets: [OTHER_SECRET, SECRET] }), 204)
    assert.equal(await printed(), 'webhook.ping: webhooks/wh_1')
    assert.equal(await deliver(url, event, { secrets: [SECRET, OTHER_SECRET] }), 204)
  })

  test(`${name} rejects what was changed, what is old, and what is no delivery, and prints none of it`, async () => {
    const { url, printed } = await start(program, file)
    const event = eventOf('webhook.ping', 'webhooks/wh_1', '{}')
    const tampered = { ...event, body: event.body.replace('wh_1', 'wh_2') }
    assert.equal(await deliver(url, event, { sent: tampered }), 400)
    assert.equal(await deliver(url, event, { sent: { ...event, id: 'evt_of_another' } }), 400)
    assert.equal(await deliver(url, event, { sent: { ...event, body: '' } }), 400)
    for (const age of [330, -330, 1e9]) assert.equal(await deliver(url, event, { age }), 400, `${age} s`)
    for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      for (const value of ['', 'x', `v1,${'A'.repeat(43)}=`, '9'.repeat(400)])
        assert.equal(await deliver(url, event, { headers: { [header]: value } }), 400, `${header}: ${value}`)
    assert.equal(await deliver(url, event, { headers: { 'content-type': 'text/plain' } }), 204)
    assert.equal(await printed(), 'webhook.ping: webhooks/wh_1')
    for (const init of [{ method: 'GET' }, { method: 'POST' }, { method: 'POST', body: 'x'.repeat(2_000_000) }]) {
      const { status, ok } = await fetch(url, init).catch(() => ({ status: 413, ok: false })) // the connection was closed
      assert.ok(!ok && (status < 500 || status === 501), `${init.method}: ${status}`)
    }
    assert.equal(await deliver(url, eventOf('webhook.ping', 'webhooks/wh_3', '{}')), 204)
    assert.equal(await printed(), 'webhook.ping: webhooks/wh_3')
  })

  test(`${name} receives what the service sends, misses nothing, and takes a rotated secret`, async () => {
    // Each process has a port of its own: one that was free a moment ago may be in use by now.
    const { id, secret: firstSecret } = await webhooks.create({ url: 'http://127.0.0.1:9/hooks' })
    const startWith = async (secret: string) => {
      const receiver = await start(program, file, secret)
      await webhooks.update(id, { url: receiver.url })
      return receiver
    }
    const lines = new Set<string>()
    // What was sent within a second before a webhook was changed may come again, and a new process does not know it.
    const expect = async ({ printed }: { printed: () => Promise<string> }, line: string) => {
      let next = await printed()
      while (lines.has(next)) next = await printed()
      assert.equal(next, line)
      lines.add(line)
    }
    const first = await startWith(firstSecret)
    const pet = await pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
    const order = await orders.place({ petId: pet.id })
    await orders.complete(order.id)
    await expect(first, `pet.created: ${pet.id} Rex is available, version 1`)
    await expect(first, `order.placed: ${pet.id} Rex is pending, version 2`)
    await expect(first, `order.completed: ${pet.id} Rex is sold, version 3`)
    await webhooks.ping(id)
    await expect(first, `webhook.ping: webhooks/${id}`)

    // During the overlap the receiver may have either secret.
    const rotated = await webhooks.rotate(id, { overlap: 60 })
    await pets.update(pet.id, { name: 'Rex II' })
    await expect(first, `pet.updated: ${pet.id} Rex II is sold, version 4`)
    await first.stop()
    const second = await startWith(rotated.secret)
    await pets.update(pet.id, { name: 'Rex III' })
    await expect(second, `pet.updated: ${pet.id} Rex III is sold, version 5`)

    // Without an overlap, what comes before the receiver has the new secret is rejected, and comes again. What is sent before the
    // rotation has taken effect is signed with the old secret, and accepted.
    const last = await webhooks.rotate(id, { overlap: 0 })
    let version = 5
    const rejected = await until(async () => {
      const sent = new Set((await webhooks.attempts(id)).map(({ eventId }) => eventId))
      await pets.update(pet.id, { name: `Rex the ${++version}th` })
      const line = `pet.updated: ${pet.id} Rex the ${version}th is sold, version ${version}`
      const attempt = await until(async () => (await webhooks.attempts(id)).find(({ eventId }) => !sent.has(eventId)))
      if (attempt.status === 400) return line
      await expect(second, line)
      return undefined
    })
    await second.stop()
    const third = await startWith(last.secret)
    await expect(third, rejected)
    await pets.delete(pet.id)
    await expect(third, `pet.deleted: ${pet.id} Rex the ${version}th is sold, version ${version + 1}`)
    await webhooks.delete(id)
  })

  test(`${name} does not start without a secret`, async () => {
    for (const secret of ['', 'petk_test_1'])
      await assert.rejects(run('.', program, [file], { WEBHOOK_SECRET: secret, PORT: '0' }), /Set WEBHOOK_SECRET to/)
  })
}

test('the receivers in TypeScript compile in a strict project', async () => {
  const nodeTypes = ['--types', 'node', '--typeRoots', resolve('node_modules/@types'), '--skipLibCheck']
  await run(directory, tool('tsc'), [...STRICT, ...nodeTypes, ...PROGRAMS])
})

interface Delivered {
  id: string
  body: string
}

interface Differences {
  secrets?: string[]
  /** In seconds. */
  age?: number
  sent?: Delivered
  headers?: Record<string, string>
}

let events = 0

function eventOf(type: string, subject: string, data: string): Delivered {
  const id = `evt_${++events}`
  const attributes = JSON.stringify({
    specversion: '1.0',
    id,
    source: '/v1',
    type,
    subject,
    time: '2026-11-16T09:30:00Z',
  })
  return { id, body: `${attributes.slice(0, -1)},"data":${data}}` }
}

/** Sends an event as the service does, and returns the status; `sent` and `headers` replace what was signed. */
async function deliver(
  url: string,
  { id, body }: Delivered,
  { secrets = [SECRET], age = 0, sent = { id, body }, headers = {} }: Differences = {},
) {
  const timestamp = Math.floor(Date.now() / 1_000) - age
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/cloudevents+json',
      'webhook-id': sent.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
      ...headers,
    },
    body: sent.body,
  })
  await response.text()
  return response.status
}

/** `printed` returns the next line that it prints. */
async function start(program: string, file: string, secret = SECRET) {
  const child = spawn(program, [file], {
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
  }
  after(stop)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const printed = async () => String((await lines.next()).value)
  const [, url = ''] = /^Listening on (http:\S+)$/.exec(await printed()) ?? []
  return { url, printed, stop }
}
