import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { cpuMsOf, leastCpuMs, slowdown } from '../../fuzz/cpu.ts'

// Uses as many milliseconds of CPU as it is asked for, on its main thread or on another one, and returns what Node counted.
const BURNER = `
  const { Worker } = require('node:worker_threads')
  const burn = (ms) => { const end = performance.now() + ms; while (performance.now() < end); }
  const source = \`const { parentPort } = require('node:worker_threads'); const burn = \${burn}; parentPort.on('message', (ms) => { burn(ms); parentPort.postMessage(0) })\`
  const worker = new Worker(source, { eval: true })
  process.on('message', ({ ms, aside }) => {
    const report = () => { const { user, system } = process.cpuUsage(); process.send((user + system) / 1e3) }
    if (aside) { worker.once('message', report); worker.postMessage(ms) } else { burn(ms); report() }
  })
`
const burner = spawn(process.execPath, ['-e', BURNER], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
after(() => burner.kill())
const pid = burner.pid!

async function burn(ms: number, aside = false) {
  burner.send({ ms, aside })
  const [counted] = (await once(burner, 'message')) as [number]
  return counted
}

// Both threads have started when they have done something.
await burn(1, true)

for (const [where, aside] of [
  ['its main thread', false],
  ['another thread', true],
] as const) {
  test(`what a process uses on ${where} is counted as the process itself counts it`, async () => {
    const counted = await burn(30, aside)
    assert.ok(counted > 30)
    // Reporting costs something too, and is not in what was reported.
    assert.ok(Math.abs(cpuMsOf(pid) - counted) < 10, `${cpuMsOf(pid)} and ${counted} ms`)
  })
}

test('waiting costs nothing', async () => {
  const ms = await leastCpuMs(pid, 3, () => new Promise((resolve) => setTimeout(resolve, 20)))
  assert.ok(ms < 1, `${ms} ms`)
})

test('the least of several tries is taken: what falls into the others is no cost of the work', async () => {
  let tries = 0
  const ms = await leastCpuMs(pid, 3, () => burn(tries++ === 1 ? 1 : 60))
  assert.ok(ms < 30, `${ms} ms`)
})

test('where other work takes longer than usual, the limit does too; where it takes less, the limit stays', () => {
  assert.equal(slowdown([9.4, 9.4, 30]), 2)
  assert.equal(slowdown([1, 2, 30]), 1)
})
