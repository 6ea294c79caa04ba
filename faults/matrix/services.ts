import { setTimeout as sleep } from 'node:timers/promises'
import type { Injection } from '../under-load.ts'

/** Twice what the balancer needs to see that a process is back. */
const SEEN_BY_BALANCER_MS = 1_000

export const serviceKill: Injection = {
  name: 'service-kill',
  injected: 'kill -9 of one process of the service; clients wait 12 s at most, others never retry',
  holds: 'without retries only requests in flight fail',
  times: 30,
  load: { deadlineMs: 12_000 },
  noneFails: true,
  othersNeverRetry: true,
  inject: async ({ services }, { number, others, broke }) => {
    const service = services[number % services.length]
    const from = performance.now()
    await service?.end('SIGKILL')
    const to = performance.now()
    await sleep(SEEN_BY_BALANCER_MS)
    service?.start()
    await service?.ready()
    await others?.settled()
    const failed = others?.failed.filter(({ at }) => at >= from).length ?? 0
    const inFlight = others?.inFlight(from, to) ?? 0
    if (failed > inFlight) broke(`${failed} calls failed that were never tried again, but ${inFlight} were in flight`)
  },
}

/** Nobody may notice a deployment, not even who never tries again. */
export const rollingRestart: Injection = {
  name: 'rolling-restart',
  injected: 'SIGTERM and a new start of each process of the service in turn; clients never retry',
  times: 30,
  quick: true,
  load: { retries: 0, perSecond: 400 },
  noneFails: true,
  inject: async ({ services }) => {
    for (const service of services) {
      await service.end('SIGTERM')
      service.start()
      await service.ready()
      await sleep(SEEN_BY_BALANCER_MS)
    }
  },
}
