import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'

/** Has the shape of a key but is none: this fake service does not check it. */
export const KEY = `petk_test_${'0'.repeat(36)}`

export interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export type Answer = (response: ServerResponse, received: Received) => void

/** A network and a service that fail: sends these responses in turn, then always the last one. */
export async function startFaulty(...answers: [Answer, ...Answer[]]) {
  let given = 0
  return listen((response, received) => answers[Math.min(given++, answers.length - 1)]?.(response, received))
}

/** A proxy to the real service. Of every twenty requests it rejects one, loses one, and cuts off one response. */
export async function startFaultyNetwork(target: string) {
  let passed = 0
  return listen((response, received) => {
    // A preflight is the browser's own, and not tried again.
    const turn = received.method === 'OPTIONS' ? 0 : passed++ % 20
    if (turn === 3) refusal(503, 'unavailable', { 'access-control-allow-origin': '*' })(response, received)
    else if (turn === 7) cut(response, received)
    else forward(target, turn === 9)(response, received)
  })
}

export const json =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'r-1', ...headers }).end(body)

export const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, JSON.stringify({ code, message: 'No.', status }), headers)

export const unavailable = (retryAfter: string) => refusal(503, 'unavailable', { 'retry-after': retryAfter })

export const cut: Answer = (response) => response.destroy()

export const cutInside: Answer = (response) =>
  response.writeHead(200, { 'content-length': '100' }).write('[{"id":1,', () => response.destroy())

export const silence: Answer = () => {}

/** The response of the real service, or only its beginning although the service has done its work. */
export const forward =
  (target: string, cutsInside: boolean): Answer =>
  (response, { method, url, headers, body }) =>
    request(target + url, { method, headers }, (answer) => {
      answer.on('error', () => response.destroy())
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      if (cutsInside)
        answer.once('data', (chunk: Buffer) => response.write(chunk.subarray(0, 9), () => response.destroy()))
      else answer.pipe(response)
    })
      .on('error', () => response.destroy())
      .end(body)

async function listen(answer: Answer) {
  const received: Received[] = []
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = incoming
    const complete = { method, url, headers, body: await text(incoming) }
    received.push(complete)
    answer(response, complete)
  }
  const server = createServer((...exchange) => void respond(...exchange)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, baseUrl: `${origin}/v1`, received }
}
