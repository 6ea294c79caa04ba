import { setTimeout as sleep } from 'node:timers/promises'
import type { Injection } from '../under-load.ts'

const AT_LEAST_MS = 15_000
/** How long it would take the one that was frozen to come forward again. */
const WATCHED_MS = 5_000

/** A machine that stands still and then goes on as if nothing had been: it still believes that it leads. */
export const freeze: Injection = {
  name: 'freeze',
  injected: 'SIGSTOP of Patroni and PostgreSQL on the primary, 15 s or longer, then SIGCONT',
  holds: 'the frozen one does not lead again',
  times: 20,
  quick: true,
  inject: async ({ cluster }, { broke }) => {
    const primary = await cluster.leader()
    await primary.signal('SIGSTOP', 'patroni', 'postgres')
    await Promise.all([cluster.leaderInsteadOf(primary), sleep(AT_LEAST_MS)])
    await primary.signal('SIGCONT', 'patroni', 'postgres')
    await sleep(WATCHED_MS)
    if ((await cluster.leader()) === primary) broke(`${primary.name} was frozen, another led, and it leads again`)
  },
}
