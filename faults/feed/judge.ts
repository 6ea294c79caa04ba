import { type Change, eventKey, type FeedRecord, type SeenEvent } from './record.ts'

/** The feed as a reader saw it, or as it is at the end, with the ways to look things up. */
interface View {
  name: string
  events: SeenEvent[]
  /** By the name of their change. */
  byChange: ReadonlyMap<string, SeenEvent>
}

interface Rule {
  /** As the beginning of a sentence. */
  must: string
  /** What breaks it in one view. */
  broken: (view: View, record: FeedRecord) => string[]
}

/** Everything that must hold, whatever was killed meanwhile. */
export const RULES = {
  lost: {
    must: 'every acknowledged change has its event',
    broken: ({ byChange }, { changes }) =>
      changes.filter(({ name, result }) => result === 'acknowledged' && !byChange.has(name)).map(({ name }) => name),
  },
  twice: {
    must: 'no change and no version of a pet has two events',
    broken: ({ events }) => [
      ...repeated(events, eventKey),
      ...repeated(events, ({ change }) => change),
      ...repeated(events, ({ id }) => id),
    ],
  },
  unasked: {
    must: 'every event belongs to a change that was asked for and not rejected',
    broken: ({ byChange }, { changes }) => {
      const possible = new Set(changes.filter(({ result }) => result !== 'rejected').map(({ name }) => name))
      return Array.from(byChange.keys()).filter((name) => !possible.has(name))
    },
  },
  wrong: {
    must: 'an event has the pet and the version of the response',
    broken: ({ byChange }, { changes }) =>
      changes.flatMap((change) => {
        const event = byChange.get(change.name)
        return event && change.result === 'acknowledged' && differs(change, event)
          ? [`${change.name} was acknowledged as ${eventKeyOf(change)} and is ${eventKey(event)}`]
          : []
      }),
  },
  gap: {
    must: 'the numbers are dense',
    broken: ({ events }) =>
      pairs(events)
        .filter(([before, after]) => after.sequence !== before.sequence + 1)
        .map(([before, after]) => `${after.sequence} follows ${before.sequence}`),
  },
  disorder: {
    must: 'the events of a pet are in the order of its versions, none missing',
    broken: ({ events }) => {
      const versions = new Map<number, number>()
      return events.flatMap(({ petId, version }) => {
        const before = versions.get(petId)
        versions.set(petId, version)
        return before === undefined || version === before + 1
          ? []
          : [`of pet ${petId}, version ${version} follows ${before}`]
      })
    },
  },
  moved: {
    must: 'what was read stays in its place, and nothing appears before it',
    broken: ({ events }, { feed }) => {
      const [first, last] = [events[0]?.sequence ?? 0, events.at(-1)?.sequence ?? -1]
      const seen = new Map(events.map((event) => [event.sequence, event]))
      const now = new Map(feed.map((event) => [event.sequence, event]))
      return [
        ...events
          .filter((event) => !isSame(event, now.get(event.sequence)))
          .map((event) => `${textOf(event)} was read, and now there is ${textOf(now.get(event.sequence))}`),
        ...feed
          .filter(({ sequence }) => sequence >= first && sequence <= last && !seen.has(sequence))
          .map((event) => `${textOf(event)} has appeared before ${last}, which was read`),
      ]
    },
  },
  unlisted: {
    must: 'every event that is stored is in the feed',
    broken: ({ events }, { stored }) => {
      const listed = new Set(events.map(eventKey))
      return stored.filter((key) => !listed.has(key))
    },
  },
} satisfies Record<string, Rule>

export type Kind = keyof typeof RULES
/** For each rule what breaks it, as sentences. */
export type Violations = Record<Kind, string[]>

/** Compares the responses that writers got, what each reader read, and the feed as it is at the end. */
export function judge(record: FeedRecord): Violations {
  const kinds = Object.keys(RULES) as Kind[]
  const violations = Object.fromEntries(kinds.map((kind) => [kind, [] as string[]])) as Violations
  // One after the other: of a million events each view takes hundreds of megabytes.
  for (const { name, events } of [...record.readers, { name: 'the feed', events: record.feed }]) {
    const byChange = new Map<string, SeenEvent>()
    for (const event of events) if (event.change !== undefined) byChange.set(event.change, event)
    for (const kind of kinds)
      for (const sentence of RULES[kind].broken({ name, events, byChange }, record))
        violations[kind].push(`${name}: ${sentence}`)
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

/** Counts for the table of results. */
export function countsOf({ lost, unlisted, twice }: Violations) {
  return { lost: lost.length + unlisted.length, twice: twice.length }
}

function repeated(events: SeenEvent[], keyOf: (event: SeenEvent) => string | undefined) {
  const keys = new Set<string>()
  return events.flatMap((event) => {
    const key = keyOf(event)
    if (key === undefined) return []
    if (keys.has(key)) return [`${key} again, as ${textOf(event)}`]
    keys.add(key)
    return []
  })
}

function pairs(events: SeenEvent[]) {
  return events.slice(1).map((after, i) => [events[i] as SeenEvent, after] as const)
}

function differs({ petId, version }: Change, event: SeenEvent) {
  return (petId !== undefined && petId !== event.petId) || (version !== undefined && version !== event.version)
}

function isSame(event: SeenEvent, other: SeenEvent | undefined) {
  return other !== undefined && event.id === other.id && event.digest === other.digest
}

function eventKeyOf({ petId, version }: Change) {
  return `${petId ?? 'any pet'} ${version ?? 'any version'}`
}

function textOf(event: SeenEvent | undefined) {
  return event ? `${event.sequence} (pet ${event.petId}, version ${event.version})` : 'nothing'
}
