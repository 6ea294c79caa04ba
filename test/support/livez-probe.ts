import { parentPort, workerData } from 'node:worker_threads'

// In a thread of its own, which what else a test does cannot delay: requests /livez, one after the other, until it gets a message, and
// returns after how many milliseconds the slowest response came.
let isDone = false
parentPort?.once('message', () => (isDone = true))
let slowest = 0
while (!isDone) {
  const begun = performance.now()
  const { status } = await fetch(`${workerData as string}/livez`, { headers: { connection: 'close' } })
  if (status !== 200) throw new Error(`/livez: ${status}`)
  slowest = Math.max(slowest, performance.now() - begun)
}
parentPort?.postMessage(slowest)
