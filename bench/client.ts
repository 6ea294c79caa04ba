import { Agent, type IncomingMessage, request } from 'node:http'
import type { Request } from './operations.ts'

export interface Reply {
  status: number
  text: string
  /** The Link header. */
  next: string | undefined
}

/** Sends requests with a key, on as many kept-alive connections as there are requests in flight. */
export class Client implements Disposable {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #authorization: string

  constructor(key: string) {
    this.#authorization = `Bearer ${key}`
  }

  send(baseUrl: string, { method, path, body }: Request): Promise<Reply> {
    const headers: Record<string, string> = { authorization: this.#authorization }
    if (body !== '') headers['content-type'] = 'application/json'
    return new Promise((resolve, reject) => {
      request(`${baseUrl}${path}`, { method, headers, agent: this.#agent }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response
          .once('end', () => resolve({ status: response.statusCode ?? 0, text, next: linkOf(response) }))
          .once('error', reject)
      })
        .once('error', reject)
        .end(body)
    })
  }

  [Symbol.dispose]() {
    this.#agent.destroy()
  }
}

function linkOf({ headers: { link } }: IncomingMessage) {
  return Array.isArray(link) ? link[0] : link
}
