import { parentPort, workerData } from 'node:worker_threads'

// In a thread of its own, which what else a test does cannot delay: requests /livez, one after the other, until it gets a message, and
// returns after how many milliseconds the slowest response came. Its first message says that it has begun.
const ended = new AbortController()
parentPort?.once('message', () => ended.abort())
// The first request loads what sends it, which takes longer than the response.
await millisecondsOfOne()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
parentPort?.postMessage('begun')
let slowest = 0
while (!ended.signal.aborted) slowest = Math.max(slowest, await millisecondsOfOne())
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
parentPort?.postMessage(slowest)

async function millisecondsOfOne() {
  const begun = performance.now()
  const { status } = await fetch(`${workerData as string}/livez`, { headers: { connection: 'close' } })
  if (status !== 200) throw new Error(`/livez: ${status}`)
  return performance.now() - begun
}
