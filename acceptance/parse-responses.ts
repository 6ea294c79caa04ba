import type { Response } from './response.ts'

/** The complete responses in a stream of bytes, each as long as its Content-Length or its chunks say. */
export function parseResponses(stream: string) {
  const responses: Omit<Response, 'request'>[] = []
  let rest = stream
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return responses
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const read = headers.get('transfer-encoding') === 'chunked' ? readChunks : readLength(headers.get('content-length'))
    const { body, length } = read(rest.slice(end + 4))
    if (body === undefined) return responses
    responses.push({ status: Number(statusLine.split(' ')[1]), headers, text: Buffer.from(body, 'latin1').toString() })
    rest = rest.slice(end + 4 + length)
  }
}

interface Body {
  /** Undefined when it has not come whole. */
  body: string | undefined
  /** Of what it took in the stream. */
  length: number
}

function readLength(contentLength = '0') {
  const length = Number(contentLength)
  return (stream: string): Body => ({ body: stream.length < length ? undefined : stream.slice(0, length), length })
}

function readChunks(stream: string): Body {
  let body = ''
  let at = 0
  for (;;) {
    const [line, digits = ''] = /^([0-9a-f]+)[^\r]*\r\n/i.exec(stream.slice(at)) ?? []
    if (line === undefined) return { body: undefined, length: at }
    const size = Number.parseInt(digits, 16)
    at += line.length
    if (stream.length < at + size + 2) return { body: undefined, length: at }
    body += stream.slice(at, at + size)
    at += size + 2
    if (size === 0) return { body, length: at }
  }
}
