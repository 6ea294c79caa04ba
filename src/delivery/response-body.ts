import type { IncomingMessage } from 'node:http'

/** More of a response is never kept, and hardly more is ever read. */
const MAX_BYTES = 1_024

/**
 * Reads the rest of a response, so that its connection can be used again. If the rest is long or slow, the connection is closed. Returns
 * how it begins, once it has ended.
 */
export async function readBody(response: IncomingMessage, bodyMs: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const kept: Buffer[] = []
  let read = 0
  const timer = setTimeout(() => response.destroy(), bodyMs)
  response.on('data', (chunk: Buffer) => {
    if (read < MAX_BYTES) kept.push(chunk.subarray(0, MAX_BYTES - read))
    read += chunk.length
    if (read > MAX_BYTES) response.destroy()
  })
  response.on('error', () => {})
  response.once('close', resolve)
  await promise
  clearTimeout(timer)
  return textOf(Buffer.concat(kept), response.complete && read <= MAX_BYTES)
}

/** A character that was cut off at the end is dropped. PostgreSQL has no text with U+0000. */
function textOf(bytes: Buffer, isWhole: boolean) {
  const text = new TextDecoder().decode(bytes, { stream: !isWhole }).replaceAll('\0', '')
  return text === '' ? undefined : text
}
