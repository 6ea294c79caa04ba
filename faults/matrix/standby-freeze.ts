import { setTimeout as sleep } from 'node:timers/promises'
import type { Injection } from '../under-load.ts'

const LASTS_MS = 12_000

/** Every commit waits for it, until PostgreSQL and Patroni have given it up. */
export const standbyFreeze: Injection = {
  name: 'standby-freeze',
  injected: 'SIGSTOP of everything on the synchronous standby for 12 s, then SIGCONT',
  times: 20,
  inject: async ({ cluster }) => {
    const standby = await cluster.syncStandby()
    await standby.signal('SIGSTOP', 'patroni', 'postgres', 'etcd')
    await sleep(LASTS_MS)
    await standby.signal('SIGCONT', 'patroni', 'postgres', 'etcd')
  },
}
