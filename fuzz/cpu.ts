import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The CPU time that a process has used, over all of its threads, in milliseconds with the resolution of nanoseconds.
 * `/proc/<pid>/stat` counts in steps of 10 ms, which is more than a request may cost.
 */
export function cpuMsOf(pid: number) {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + nanosecondsOf(`/proc/${pid}/task/${thread}`), 0) / 1e6
}

/** The CPU time that a process uses in a millisecond without any request, for its jobs. A request that waits is not to blame for it. */
export async function backgroundCpu(pid: number) {
  const [before, begun] = [cpuMsOf(pid), performance.now()]
  await sleep(2_000)
  return (cpuMsOf(pid) - before) / (performance.now() - begun)
}

/**
 * The CPU time that a process uses for `work`, on a core that nothing slows down: the least of several tries, because a garbage
 * collection or a timer may fall into any one of them, divided by how much longer than usual other work takes at the same moment.
 * Nothing else may use the process meanwhile, except in the `background`.
 */
export async function leastCpuMs(pid: number, tries: number, work: () => Promise<unknown>, background = 0) {
  let least = Number.POSITIVE_INFINITY
  const references: number[] = []
  for (let i = 0; i < tries; i++) {
    const [before, begun] = [cpuMsOf(pid), performance.now()]
    await work()
    await idle(pid)
    least = Math.min(least, cpuMsOf(pid) - before - background * (performance.now() - begun))
    references.push(await referenceMs())
  }
  return least / slowdown(references)
}

// To read JSON takes twice as long while another virtual machine uses the same core.
const REFERENCE = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id, name: `pet ${id}` })))
const REFERENCE_TIMES = 20
/** On a core of 2.5 GHz that nothing slows down. */
const REFERENCE_MS = 4.7

async function referenceMs() {
  // A thread's time is counted when it sleeps.
  await sleep(1)
  const before = cpuMsOf(process.pid)
  for (let i = 0; i < REFERENCE_TIMES; i++) JSON.parse(REFERENCE)
  await sleep(1)
  return cpuMsOf(process.pid) - before
}

/** The median, since a garbage collection falls into some of them. A faster core than usual does not make the limit stricter. */
export function slowdown(references: number[]) {
  const median = references.toSorted((a, b) => a - b)[references.length >> 1] ?? 0
  return Math.max(1, median / REFERENCE_MS)
}

/** The kernel counts a thread's time when it stops running: until then, the last milliseconds are missing. */
export async function idle(pid: number) {
  while (/\) R /.test(readFileSync(`/proc/${pid}/stat`, 'latin1')))
    await new Promise((resolve) => setImmediate(resolve))
}

function nanosecondsOf(thread: string) {
  try {
    return Number(readFileSync(`${thread}/schedstat`, 'latin1').split(' ', 1)[0])
  } catch {
    return 0 // the thread has ended since it was listed
  }
}
