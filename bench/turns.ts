import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, measureService, prepare } from './measure.ts'
import type { Operation } from './operations.ts'
import { cpuSeconds, pidsOf } from './processes.ts'
import type { Service } from './service.ts'

const TURN_MS = 100

/** A service that is compared with others. */
export interface Contestant extends Service {
  key: string
  metricsUrl?: string | undefined
}

/** What a service did during its turns. */
export interface Work {
  requests: number
  seconds: number
  cpuSeconds: number
}

interface Turn {
  index: number
  from: number
  to: number
}

/**
 * Puts all services under the same load, but only one of them runs at a time, for a tenth of a second: the speed of a machine
 * with shared cores changes by a third from one second to the next, and this way it changes for all of them. Two processes of
 * one program differ until they end, so start the services several times. All get the same requests.
 */
export async function compareInTurns(services: Contestant[], operation: Operation, load: Load): Promise<Work[]> {
  // Each has its share of the time only.
  const prepared = prepare(operation, { ...load, seconds: load.seconds / services.length })
  const before = services.map(({ pid }) => cpuSeconds(pid))
  const loads = Promise.all(
    services.map(async ({ url, key }) => {
      const { perSecond } = await measureService(url, key, operation, load, prepared)
      return { requests: perSecond * load.seconds, endedAt: performance.now() }
    }),
  )
  const turns = await takeTurns(services, loads)
  return (await loads).map(({ requests, endedAt }, index) => {
    const begunAt = endedAt - load.seconds * 1_000
    const ms = turns
      .filter((turn) => turn.index === index)
      .reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, endedAt) - Math.max(from, begunAt)), 0)
    const { pid } = services[index] as Contestant
    return { requests, seconds: ms / 1_000, cpuSeconds: cpuSeconds(pid) - (before[index] ?? 0) }
  })
}

/** All but one are stopped by a signal until `end`, so that they do their background work in their own turns too. */
async function takeTurns(services: Contestant[], end: Promise<unknown>) {
  const turns: Turn[] = []
  const over = new AbortController()
  void end.finally(() => over.abort()).catch(() => {}) // awaited below
  const families = services.map(({ pid, metricsUrl }, index) => ({ index, pids: pidsOf(pid), metricsUrl }))
  const signal = (pids: number[], name: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of pids) process.kill(pid, name)
  }
  const everyone = families.flatMap(({ pids }) => pids)
  signal(everyone, 'SIGSTOP')
  try {
    for (let round = 0; !over.signal.aborted; round++) {
      // Back and forth, so that none always follows the same one.
      for (const { index, pids, metricsUrl } of round % 2 === 0 ? families : families.toReversed()) {
        const from = performance.now()
        signal(pids, 'SIGCONT')
        // Once in some three seconds that it runs. Prometheus, as deploy/observability has it, scrapes every fifteen.
        await Promise.all([sleep(TURN_MS), round === 0 && metricsUrl && scrape(metricsUrl)])
        signal(pids, 'SIGSTOP')
        turns.push({ index, from, to: performance.now() })
      }
    }
  } finally {
    signal(everyone, 'SIGCONT')
  }
  await end
  return turns
}

async function scrape(url: string) {
  await (await fetch(url)).text()
}
