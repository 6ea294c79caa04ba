import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { closeIdleBy, closeLastBy, keepHalfOpen, onTurn, owedResponse, watchChunks } from '../src/node/connections.ts'
import { createServer, METHODS, STATUS_CODES } from '../src/node/http.ts'
import { stopParsing } from '../src/node/parser.ts'
import { exchange, RawConnection } from './support/raw.ts'
import { until } from './support/until.ts'

// What src/node takes for granted about the inside of Node, on a server of Node's alone. A new version of Node is used only if these pass.

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const POST = 'POST / HTTP/1.1\r\nHost: x\r\n'
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`
const CHUNK = '1\r\nx\r\n'

async function serve(handle: RequestListener) {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, address: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => server.close().closeAllConnections() }
}

test('a parser that was stopped has none of the callbacks that it delivers requests by', async () => {
  const callbacks = ({ parser }: Socket & { parser?: object }) =>
    Object.values(parser ?? {}).flatMap((value: unknown) =>
      typeof value === 'function' && value.name.startsWith('parserOn') ? [value.name] : [],
    )
  let before: string[] = []
  let after: string[] = []
  using served = await serve(({ socket }) => {
    before = callbacks(socket)
    stopParsing(socket)
    after = callbacks(socket)
    socket.destroy()
  })
  assert.deepEqual(await exchange(served.address, GET), [])
  assert.deepEqual(before, ['parserOnHeaders', 'parserOnHeadersComplete', 'parserOnBody', 'parserOnMessageComplete'])
  assert.deepEqual(after, [])
})

test('a parser that was stopped delivers nothing more of what it has read, then reports HPE_PAUSED', async () => {
  let [requests, chunks] = [0, 0]
  using served = await serve((request) => {
    requests++
    watchChunks(request, () => {
      if (++chunks === 3) stopParsing(request.socket)
    })
  })
  const codes: (string | undefined)[] = []
  served.server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    codes.push(code)
    socket.destroy()
  })
  const connection = await RawConnection.open(served.address)
  // In one read: the rest of the body, its end, and other requests, of which one has more headers than the parser keeps at once.
  connection.send(`${CHUNKED}${CHUNK.repeat(1_000)}0\r\n\r\n${GET}GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(100)}\r\n`)
  await until(() => chunks > 0)
  connection.send('x')
  await connection.untilClosed()
  assert.deepEqual({ requests, chunks, codes }, { requests: 1, chunks: 3, codes: ['HPE_PAUSED'] })
})

test('a parser that was stopped reads the next connection', async () => {
  let isStopped = false
  using served = await serve((request, response) => {
    isStopped = !isStopped
    if (isStopped) stopParsing(request.socket)
    if (isStopped) request.socket.destroy()
    else void request.toArray().then((read: Buffer[]) => response.end(Buffer.concat(read)))
  })
  for (let i = 0; i < 5; i++) {
    assert.deepEqual(await exchange(served.address, `${CHUNKED}${CHUNK}`), [])
    const [response] = await exchange(served.address, `${POST}Connection: close\r\nContent-Length: 3\r\n\r\nabc`)
    assert.equal(response?.status, 200)
    assert.equal(response.body, 'abc')
  }
})

test('chunks are seen as they arrive, though nothing reads them', async () => {
  let chunks = 0
  using served = await serve((request) => watchChunks(request, () => chunks++))
  const connection = await RawConnection.open(served.address)
  connection.send(`${CHUNKED}${CHUNK.repeat(7)}`)
  await until(() => chunks === 7)
  connection.socket.destroy()
})

test('a connection owes the first response that is not sent, and the next request has its turn after it', async () => {
  const responses: ServerResponse[] = []
  const turns: ServerResponse[] = []
  let socket: Socket | undefined
  using served = await serve((request, response) => {
    socket = request.socket
    responses.push(response)
    if (!response.socket) onTurn(response, () => turns.push(response))
  })
  const connection = await RawConnection.open(served.address)
  connection.send(GET.repeat(2))
  await until(() => responses.length === 2)
  const [first, second] = responses
  assert.ok(socket && first && second)
  assert.equal(owedResponse(socket), first)
  assert.equal(owedResponse(socket)?.req.complete, true)
  assert.deepEqual(turns, [])
  first.end('one')
  await until(() => turns.length === 1)
  assert.equal(turns[0], second)
  assert.equal(owedResponse(socket), second)
  second.end('two')
  assert.deepEqual(
    (await connection.answers(2)).map(({ status }) => status),
    [200, 200],
  )
  assert.equal(owedResponse(socket), undefined)
  connection.socket.destroy()
})

test('a client that has finished sending gets the response that comes later', async () => {
  using served = await serve((request, response) => {
    request.socket.once('end', () => setImmediate(() => response.setHeader('connection', 'close').end('late')))
  })
  keepHalfOpen(served.server)
  const [response] = await exchange(served.address, GET, { end: true })
  assert.equal(response?.status, 200)
})

test('a server that stops listening leaves closing connections to us', async () => {
  using served = await serve((_request, response) => response.end())
  let closed = 0
  closeIdleBy(served.server, () => closed++)
  const connection = await RawConnection.open(served.address)
  connection.send(GET)
  await connection.answers(1)
  served.server.close()
  assert.equal(closed, 1)
  connection.send(GET)
  assert.equal((await connection.answers(2)).length, 2)
})

test('after the last response of a connection, closing it is left to us', async () => {
  let closed = 0
  using served = await serve(({ socket }, response) => {
    closeLastBy(socket, () => closed++)
    response.setHeader('connection', 'close').end()
  })
  const connection = await RawConnection.open(served.address)
  connection.send(GET)
  await until(() => closed === 1)
  assert.equal(connection.socket.readableEnded, false)
  connection.socket.destroy()
})

test('a write to a full pipe fails at once', { timeout: 30_000 }, async () => {
  const fill = `
    import { spawnSync } from 'node:child_process'
    import { writeSync } from 'node:fs'
    import { unblockStdout } from '${new URL('../src/node/stdout.ts', import.meta.url).href}'
    unblockStdout()
    // A child makes the output that it shares wait again.
    spawnSync('true', { stdio: 'inherit' })
    unblockStdout()
    try {
      for (;;) writeSync(1, Buffer.alloc(4_096))
    } catch (error) {
      process.exit(error.code === 'EAGAIN' ? 11 : 1)
    }`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', fill], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  assert.deepEqual(await once(child, 'exit'), [11, null])
})

test('the parts of node:http that we use load without its WebSocket client, which an import of it would load', async () => {
  const hasWebSocketClient = async (code: string) => {
    const print = `process.stdout.write(String(process.moduleLoadList.some((name) => name.includes('undici'))))`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', `${code}\n${print}`])
    const [printed] = (await child.stdout.setEncoding('utf8').toArray()) as string[]
    return printed
  }
  assert.equal(await hasWebSocketClient(`import '${new URL('../src/node/http.ts', import.meta.url).href}'`), 'false')
  assert.equal(await hasWebSocketClient(`import 'node:http'`), 'true')
  assert.ok(METHODS.includes('GET'))
  assert.equal(STATUS_CODES[404], 'Not Found')
})
