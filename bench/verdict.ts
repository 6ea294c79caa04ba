import type { Result } from './compare.ts'

interface Demand {
  /** The least ratio to bare at 64 connections. */
  ratio: Record<string, number>
  /** At 256 connections, the least share of that. */
  shareAt256: number
  /** With one connection, the most milliseconds at p50 beyond bare. */
  extraMsAt1: number
  /** From 64 connections on, the least share of creates that is left when each has an Idempotency-Key. */
  shareOnce: number
}

export const DEMANDS: Demand = {
  ratio: { create: 1.4, list: 1.4, get: 0.85 },
  shareAt256: 0.9,
  extraMsAt1: 0.4,
  shareOnce: 0.7,
}

/** Wide, since it is run on machines that are busy with other things too. */
export const QUICK_DEMANDS: Demand = { ...DEMANDS, ratio: { create: 1, list: 1, get: 0.6 }, shareOnce: 0.5 }

/** What was asked for and not reached, as sentences. */
export function shortfalls(results: Result[], demand: Demand) {
  return [...slowerThanBare(results, demand), ...slowerOnce(results, demand)]
}

/** Both in the same rounds, so whatever else the machine did has met both. */
function slowerOnce(results: Result[], { shareOnce }: Demand) {
  return results.flatMap(({ operation, connections, service }) => {
    if (operation !== 'create once' || connections === 1) return []
    const plain = results.find((other) => other.operation === 'create' && other.connections === connections)
    const share = service.perSecond / (plain?.service.perSecond ?? Number.NaN)
    return share >= shareOnce
      ? []
      : `creates with a key at ${connections} connections are ${share.toFixed(2)} times those without, not ${shareOnce.toFixed(2)}`
  })
}

function slowerThanBare(results: Result[], { ratio: least, shareAt256, extraMsAt1 }: Demand) {
  return results.flatMap(({ operation, connections, ratio, bare, service }) => {
    const demanded = least[operation]
    if (demanded === undefined) return []
    if (connections === 1) {
      const extra = service.p50 - bare.p50
      return extra <= extraMsAt1
        ? []
        : `${operation} with one connection takes ${extra.toFixed(2)} ms more than bare, not ${extraMsAt1}`
    }
    const demand = connections === 256 ? demanded * shareAt256 : demanded
    return ratio >= demand
      ? []
      : `${operation} at ${connections} connections is ${ratio.toFixed(2)} times bare, not ${demand.toFixed(2)}`
  })
}
