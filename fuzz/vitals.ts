import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

interface Vitals {
  memoryMb: number
  sockets: number
}

// Room for what a service keeps on purpose: code that has been compiled, a pool of database connections.
const MEMORY_MB = 250
const SOCKETS = 25
const PATIENCE_MS = 10_000

/** What the kernel knows about a process; undefined where it does not say. */
export async function vitalsOf(pid: number): Promise<Vitals | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const handles = await readdir(`/proc/${pid}/fd`)
    const targets = await Promise.all(handles.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
    return {
      memoryMb: Number(/^VmRSS:\s+([0-9]+) kB$/m.exec(status)?.[1]) / 1_024,
      sockets: targets.filter((target) => target.startsWith('socket:')).length,
    }
  } catch {
    return undefined
  }
}

/** What a process has not released some time after the last request. */
export async function whatIsKept(pid: number, before: Vitals) {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const now = await vitalsOf(pid)
    if (!now) return undefined
    const memory = Math.round(now.memoryMb - before.memoryMb)
    const sockets = now.sockets - before.sockets
    if (memory <= MEMORY_MB && sockets <= SOCKETS) return undefined
    if (performance.now() > deadline) return `the service keeps ${memory} MB and ${sockets} sockets more than before`
    await sleep(200)
  }
}
