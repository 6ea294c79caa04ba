import type { Injection } from '../under-load.ts'

/** Harder than kill -9, after which the kernel still delivers what was written to its sockets. */
export const powerOff: Injection = {
  name: 'power-off',
  injected: 'the cable of the primary is pulled, then all of it is killed',
  times: 20,
  inject: async ({ cluster }) => {
    const primary = await cluster.leader()
    await primary.unplug()
    await primary.kill('patroni', 'postgres', 'etcd')
    await cluster.leaderInsteadOf(primary)
    await primary.plugIn()
    primary.startEtcd()
    primary.startPatroni()
  },
}
