import { setTimeout as sleep } from 'node:timers/promises'
import type { Rig } from '../rig/rig.ts'
import type { ServiceProcess } from '../rig/service.ts'
import { signal } from '../rig/site.ts'
import type { Injection } from '../under-load.ts'

const WATCHED_MS = 1_000
/** Longer than the balancer needs to see it, and than the others may leave events without a number. */
const FROZEN_MS = 10_000
const SEEN_BY_BALANCER_MS = 1_000

export const sequencerKill: Injection = {
  name: 'sequencer-kill',
  injected: 'kill -9 of the process that gives events their numbers',
  times: 30,
  inject: async (rig) => {
    const sequencer = await sequencerOf(rig)
    await sequencer.end('SIGKILL')
    await sleep(SEEN_BY_BALANCER_MS)
    sequencer.start()
    await sequencer.ready()
  },
}

/** It keeps its lock, and continues where it stopped, perhaps in the middle of a page. */
export const sequencerFreeze: Injection = {
  name: 'sequencer-freeze',
  injected: 'SIGSTOP of the process that gives events their numbers for 10 s, then SIGCONT',
  times: 30,
  inject: async (rig) => {
    const { pid } = await sequencerOf(rig)
    signal([pid], 'SIGSTOP')
    await sleep(FROZEN_MS)
    signal([pid], 'SIGCONT')
  },
}

/** The process that has numbered the most events within a second. */
async function sequencerOf({ services }: Rig) {
  const before = await Promise.all(services.map(numbered))
  await sleep(WATCHED_MS)
  const after = await Promise.all(services.map(numbered))
  const growth = after.map((count, i) => count - (before[i] ?? 0))
  return services[growth.indexOf(Math.max(...growth))] as ServiceProcess
}

async function numbered({ address }: ServiceProcess) {
  const response = await fetch(`http://${address}:9090/metrics`, { signal: AbortSignal.timeout(5_000) })
  return Number(/^petstore_feed_events_total (\d+)$/m.exec(await response.text())?.[1] ?? 0)
}
