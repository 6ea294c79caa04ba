import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from '../rig/node.ts'
import type { Injection } from '../under-load.ts'

/** Long enough for the next one to lead, and to acknowledge pets that would be lost if the frozen one led again. */
const AT_LEAST_MS = 20_000
/** How long it would take the one that was frozen to come forward again. */
const WATCHED_MS = 5_000

/**
 * It stands still, and then goes on as if nothing had been: it still believes that it leads. In every other round PostgreSQL
 * alone is frozen: Patroni then waits for its answer, and goes on in the middle of a turn that began before another led.
 */
export const freeze: Injection = {
  name: 'freeze',
  injected: 'SIGSTOP of PostgreSQL on the primary, in every other round of Patroni too, 20 s or longer, then SIGCONT',
  holds: 'the frozen one does not become primary again',
  times: 20,
  quick: true,
  inject: async ({ cluster }, { number, broke }) => {
    const primary = await cluster.leader()
    const frozen: Program[] = number % 2 === 1 ? ['postgres'] : ['postgres', 'patroni']
    await primary.signal('SIGSTOP', ...frozen)
    await Promise.all([cluster.leaderInsteadOf(primary), sleep(AT_LEAST_MS)])
    await primary.signal('SIGCONT', ...frozen)
    await sleep(WATCHED_MS)
    if ((await cluster.leader()) === primary) broke(`${primary.name} was frozen, another led, and it leads again`)
  },
}
