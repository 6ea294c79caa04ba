import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { EVERY_PIECE, FaultyWire } from '../../faults/faulty-wire.ts'
import { Link } from '../../faults/link.ts'
import { byTheClock } from '../../faults/open-loop/lateness.ts'

const done: string[] = []
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', (text) => {
    done.push(String(text))
    socket.write('done')
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

async function ask(cutShare: number, text: string) {
  const { port } = server.address() as AddressInfo
  await using wire = await FaultyWire.start([{ host: '127.0.0.1', port }], EVERY_PIECE)
  wire.cutShare = cutShare
  const socket = connect(wire.port, '127.0.0.1')
  socket.write(text)
  const heard = await new Promise<string | undefined>((resolve) => {
    socket.on('data', (answer) => resolve(String(answer)))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
  socket.destroy()
  return heard
}

test('a response that is not cut off is forwarded', async () => {
  assert.equal(await ask(0, 'first'), 'done')
})

test('where the response is cut off the connection is reset, and the request is executed all the same', async () => {
  assert.equal(await ask(1, 'second'), 'ECONNRESET')
  assert.ok(done.includes('second'))
})

test('what goes over a slow link comes later, in order, and no faster than the link is wide', async () => {
  const link = new Link()
  link.delayMs = 20
  link.bytesPerSecond = 10_000
  const begun = performance.now()
  const arrived: number[] = []
  await new Promise<void>((resolve) => {
    for (const n of [1, 2, 3]) link.send(200, () => arrived.push(n) === 3 && resolve())
  })
  assert.deepEqual(arrived, [1, 2, 3])
  assert.ok(performance.now() - begun >= 79, '60 ms for 600 bytes, and 20 ms of delay')
})

test('a generator that was late says that nothing can be said by the clock', () => {
  const said: string[] = []
  const stage = { quick: false, say: (text: string) => void said.push(text) }
  assert.deepEqual(byTheClock(stage, 10, 10, ['slow']), ['slow'])
  assert.match(byTheClock(stage, 11, 10, ['slow']).join(), /^not judged.*11 ms behind its schedule; run this again/)
  assert.deepEqual(byTheClock({ ...stage, quick: true }, 11, 10, ['slow']), [])
  assert.match(said.join(), /^not judged.*11 ms/)
})
