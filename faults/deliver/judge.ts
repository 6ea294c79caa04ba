import type { Delivered } from '../../bench/webhooks/receiver.ts'
import { type DeliveryRecord, type FeedEvent, type Kill, keyOf } from './record.ts'

/** What one endpoint was to receive, and what it received. */
interface View {
  expected: FeedEvent[]
  delivered: Delivered[]
  /** What came again, with the delivery before. */
  again: { before: Delivered; after: Delivered }[]
  /** The first delivery of each. */
  first: Map<string, Delivered>
}

interface Rule {
  /** As the beginning of a sentence. */
  must: string
  /** What breaks it at one endpoint. */
  broken: (view: View, record: DeliveryRecord) => string[]
}

/** A request that the process had sent arrives even after it was killed. */
const ARRIVES_WITHIN_MS = 2_000
/** What was delivered is stored every second, and nothing is begun two seconds after that. The rest is for slow responses. */
const UNSTORED_MS = 5_000
/** Those after an event that failed are remembered in memory only, until it was delivered. */
const MAX_UNDER_WAY = 8

/** Everything that must hold, whichever process was killed. */
export const RULES = {
  lost: {
    must: 'every endpoint receives every event of its types',
    broken: ({ expected, first }) => expected.filter((event) => !first.has(keyOf(event))).map(keyOf),
  },
  uninvited: {
    must: 'an endpoint receives only events of the feed that are of its types',
    broken: ({ expected, delivered }) => {
      const known = new Map(expected.map((event) => [keyOf(event), event.sequence]))
      return delivered.filter((one) => known.get(keyOf(one)) !== one.sequence).map(textOf)
    },
  },
  disorder: {
    must: 'what is delivered for the first time is in the order of the versions of its pet',
    broken: ({ first }) => {
      const versions = new Map<number, number>()
      return Array.from(first.values()).flatMap((one) => {
        const before = versions.get(one.petId) ?? 0
        versions.set(one.petId, Math.max(before, one.version))
        return one.version > before ? [] : [`${textOf(one)} after version ${before}`]
      })
    },
  },
  renamed: {
    must: 'what comes again has the same webhook-id',
    broken: ({ again }) =>
      again.filter(({ before, after }) => before.id !== after.id).map(({ after }) => `${textOf(after)}: ${after.id}`),
  },
  twice: {
    must: 'an event comes again only after a process was killed',
    broken: ({ again }, { kills }) => again.filter((one) => !killBetween(one, kills)).map(({ after }) => textOf(after)),
  },
  tooMany: {
    must: 'after a kill only what was delivered in the seconds before it comes again',
    broken: ({ again }, { kills }) =>
      unstored(again, kills)
        .filter(({ ms }) => ms > UNSTORED_MS)
        .map(({ count, ms }) => `${count} of ${ms} ms`),
  },
} satisfies Record<string, Rule>

export type Kind = keyof typeof RULES
/** For each rule what breaks it, as sentences. */
export type Violations = Record<Kind, string[]>

/** Compares what the feed has with what each endpoint accepted. */
export function judge(record: DeliveryRecord): Violations {
  const kinds = Object.keys(RULES) as Kind[]
  const violations = Object.fromEntries(kinds.map((kind) => [kind, [] as string[]])) as Violations
  const stored = new Set(record.events.map(keyOf))
  violations.lost.push(...record.acknowledged.filter((key) => !stored.has(key)).map((key) => `the feed: ${key}`))
  const byEndpoint = Map.groupBy(record.delivered, ({ endpoint }) => endpoint)
  for (const { name, types } of record.endpoints) {
    const expected = types ? record.events.filter(({ type }) => types.includes(type)) : record.events
    const view = viewOf(expected, byEndpoint.get(name) ?? [])
    for (const kind of kinds)
      for (const sentence of RULES[kind].broken(view, record)) violations[kind].push(`${name}: ${sentence}`)
  }
  return violations
}

/** One sentence for each rule that is broken, with an example. */
export function brokenRules(violations: Violations) {
  return Object.entries(RULES).flatMap(([kind, { must }]) => {
    const found = violations[kind as Kind]
    return found.length > 0 ? [`${must}, but ${found.length} times not, as here: ${found[0]}`] : []
  })
}

/** For each kill and each endpoint, how many came again, and how far apart they were first delivered. */
export function repeatsIn({ delivered, kills }: Pick<DeliveryRecord, 'delivered' | 'kills'>) {
  const byEndpoint = Map.groupBy(delivered, ({ endpoint }) => endpoint)
  return Array.from(byEndpoint.values()).flatMap((own) => unstored(viewOf([], own).again, kills))
}

/** Of each kill. Those that were under way with an event that failed do not count: they may be older. */
function unstored(again: View['again'], kills: Kill[]) {
  return Array.from(Map.groupBy(again, (one) => killBetween(one, kills))).flatMap(([kill, repeated]) => {
    const times = repeated.map(({ before }) => before.at).toSorted((a, b) => a - b)
    const [first, last] = [times[MAX_UNDER_WAY], times.at(-1)]
    return kill ? [{ count: times.length, ms: first === undefined || last === undefined ? 0 : last - first }] : []
  })
}

function viewOf(expected: FeedEvent[], delivered: Delivered[]): View {
  const view: View = { expected, delivered, again: [], first: new Map() }
  const latest = new Map<string, Delivered>()
  for (const one of delivered) {
    const key = keyOf(one)
    const before = latest.get(key)
    latest.set(key, one)
    if (before) view.again.push({ before, after: one })
    else view.first.set(key, one)
  }
  return view
}

/** The first kill after which the one could be forgotten and the other sent. */
function killBetween({ before, after }: View['again'][number], kills: Kill[]) {
  return kills.find(({ from, to }) => to + ARRIVES_WITHIN_MS >= before.at && from <= after.at)
}

function textOf({ sequence, petId, version }: Delivered) {
  return `${sequence} (pet ${petId}, version ${version})`
}
