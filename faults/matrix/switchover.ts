import type { Injection } from '../under-load.ts'

export const switchover: Injection = {
  name: 'switchover',
  injected: 'patronictl switchover to the synchronous standby; clients wait 12 s at most',
  times: 50,
  quick: true,
  load: { deadlineMs: 12_000 },
  noneFails: true,
  othersNeverRetry: true,
  inject: async ({ cluster }) => {
    await cluster.switchover(await cluster.syncStandby())
  },
}
