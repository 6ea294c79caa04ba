import { parentPort, workerData } from 'node:worker_threads'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { renderDocs, type Site } from './render.ts'

/** A file in each encoding that it is sent in. */
export interface Encoded {
  identity: Uint8Array
  gzip: Uint8Array
  br: Uint8Array
}

const { openapi, site } = workerData as { openapi: string; site: Site }
const files = Object.entries(renderDocs(openapi, site)).map(([name, text]): [string, Encoded] => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
  return [name, { identity: Buffer.from(text), gzip: gzipSync(text), br: brotliCompressSync(text, { params }) }]
})
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
parentPort?.postMessage(Object.fromEntries(files))
