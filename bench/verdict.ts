import type { Result } from './compare.ts'

export interface Targets {
  /** The least ratio to bare at 64 connections. */
  ratio: Record<string, number>
  /** At 256 connections, the least share of that. */
  shareAt256: number
  /** With one connection, the most milliseconds at p50 beyond bare. */
  extraMsAt1: number
  /** From 64 connections on, the least share of creates that is left when each has an Idempotency-Key. */
  shareOnce: number
}

export const TARGETS: Targets = {
  ratio: { create: 1.4, list: 1.4, get: 0.85 },
  shareAt256: 0.9,
  extraMsAt1: 0.4,
  shareOnce: 0.7,
}

/** Wide, since CI machines have other load. */
export const QUICK_TARGETS: Targets = { ...TARGETS, ratio: { create: 1, list: 1, get: 0.6 }, shareOnce: 0.5 }

/** The targets that were missed, as sentences. */
export function shortfalls(results: Result[], targets: Targets) {
  return [...slowerThanBare(results, targets), ...slowerOnce(results, targets)]
}

/** Both in the same rounds, so other load on the machine affected both. */
function slowerOnce(results: Result[], { shareOnce }: Targets) {
  return results.flatMap(({ operation, connections, service }) => {
    if (operation !== 'create once' || connections === 1) return []
    const plain = results.find((other) => other.operation === 'create' && other.connections === connections)
    const share = service.perSecond / (plain?.service.perSecond ?? Number.NaN)
    return share >= shareOnce
      ? []
      : `creates with a key at ${connections} connections are ${share.toFixed(2)} times those without, not ${shareOnce.toFixed(2)}`
  })
}

function slowerThanBare(results: Result[], { ratio: least, shareAt256, extraMsAt1 }: Targets) {
  return results.flatMap(({ operation, connections, ratio, bare, service }) => {
    const target = least[operation]
    if (target === undefined) return []
    if (connections === 1) {
      const extra = service.p50 - bare.p50
      return extra <= extraMsAt1
        ? []
        : `${operation} with one connection takes ${extra.toFixed(2)} ms more than bare, not ${extraMsAt1}`
    }
    const leastRatio = connections === 256 ? target * shareAt256 : target
    return ratio >= leastRatio
      ? []
      : `${operation} at ${connections} connections is ${ratio.toFixed(2)} times bare, not ${leastRatio.toFixed(2)}`
  })
}
