import type { Injection } from '../under-load.ts'

export const primaryKill: Injection = {
  name: 'primary-kill',
  injected: 'kill -9 of Patroni and PostgreSQL on the primary',
  times: 100,
  quick: true,
  inject: async ({ cluster }) => {
    const primary = await cluster.leader()
    await primary.kill('patroni', 'postgres')
    await cluster.leaderInsteadOf(primary)
    primary.startPatroni()
  },
}
