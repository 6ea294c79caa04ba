import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenRules, countsOf, judge, type Kind, RULES } from '../../faults/feed/judge.ts'
import { eventKey, type FeedRecord, type SeenEvent } from '../../faults/feed/record.ts'

const events: [change: string | undefined, petId: number, version: number][] = [
  ['pet.created run 1', 1, 1],
  ['pet.created run 2', 2, 1],
  ['pet.updated run 3', 1, 2],
  // Of another load.
  [undefined, 9, 4],
  ['order.placed run 4', 2, 2],
  ['order.cancelled ord_A', 2, 3],
  // It was made, and its response was lost.
  ['pet.updated run 5', 2, 4],
  ['pet.deleted 1', 1, 3],
]

function eventAt(index: number, sequence = 40 + index): SeenEvent {
  const [change, petId = 0, version = 0] = events[index] ?? []
  return { sequence, id: `evt_${petId}_${version}`, petId, version, change, digest: `${petId} ${version}` }
}

/** Two readers, of which one began later, and a feed without any fault. */
function recordOf(): FeedRecord {
  const all = events.map((_, i) => eventAt(i))
  const acknowledged = { result: 'acknowledged' as const, at: 1 }
  return {
    changes: [
      { name: 'pet.created run 1', petId: 1, version: 1, ...acknowledged },
      { name: 'pet.created run 2', petId: 2, version: 1, ...acknowledged },
      { name: 'pet.updated run 3', petId: 1, version: 2, ...acknowledged },
      { name: 'order.placed run 4', petId: 2, ...acknowledged },
      { name: 'order.cancelled ord_A', ...acknowledged },
      { name: 'pet.updated run 5', result: 'unknown', at: 1 },
      { name: 'pet.updated run 6', result: 'unknown', at: 1 },
      { name: 'order.placed run 7', result: 'rejected', at: 1 },
      { name: 'pet.deleted 1', petId: 1, ...acknowledged },
    ],
    readers: [
      { name: 'one', events: [...all] },
      { name: 'two', events: [...all] },
    ],
    feed: [{ ...eventAt(3, 39), id: 'evt_9_3', version: 3 }, ...all],
    stored: all.filter(({ change }) => change !== undefined).map(eventKey),
  }
}

interface Plant {
  kind: Kind
  /** As a sentence with "there is". */
  what: string
  plant: (record: FeedRecord) => void
}

const PLANTS: Plant[] = [
  {
    kind: 'lost',
    what: 'an acknowledged change that no reader was shown',
    plant: ({ changes }) => changes.push({ name: 'pet.created run 8', result: 'acknowledged', at: 1 }),
  },
  { kind: 'lost', what: 'an event that one reader missed', plant: ({ readers }) => readers[1]?.events.splice(2, 1) },
  {
    kind: 'lost',
    what: 'an event that came before the place of a reader',
    plant: ({ readers }) => readers[1]?.events.shift(),
  },
  {
    kind: 'twice',
    what: 'an event that a reader got again',
    plant: ({ readers }) => readers[0]?.events.push(eventAt(2, 48)),
  },
  {
    kind: 'twice',
    what: 'a change with two events',
    plant: ({ feed }) => feed.push({ ...eventAt(6, 48), id: 'evt_2_5', version: 5 }),
  },
  {
    kind: 'unasked',
    what: 'the event of a change that was rejected',
    plant: ({ feed }) => feed.push({ ...eventAt(6, 48), id: 'evt_2_5', version: 5, change: 'order.placed run 7' }),
  },
  {
    kind: 'unasked',
    what: 'the event of a change that was not requested',
    plant: ({ feed }) => feed.push({ ...eventAt(6, 48), id: 'evt_2_5', version: 5, change: 'pet.updated run 99' }),
  },
  {
    kind: 'wrong',
    what: 'an event with another version',
    plant: ({ changes }) => Object.assign(changes[2] ?? {}, { version: 3 }),
  },
  {
    kind: 'wrong',
    what: 'an event of another pet',
    plant: ({ changes }) => Object.assign(changes[3] ?? {}, { petId: 1 }),
  },
  {
    kind: 'gap',
    what: 'a number that no event has',
    plant: ({ readers, feed }) => {
      for (const list of [...readers.map((reader) => reader.events), feed])
        list.push({ ...eventAt(6, 49), id: 'evt_9_5', petId: 9, version: 5, change: undefined })
    },
  },
  {
    kind: 'gap',
    what: 'a page that came before another',
    plant: ({ readers: [one] }) => one && Object.assign(one, { events: one.events.toReversed() }),
  },
  {
    kind: 'disorder',
    what: 'a version that comes before an earlier one',
    plant: ({ feed, readers }) => {
      for (const list of [...readers.map((reader) => reader.events), feed]) {
        const at = list.findIndex(({ id }) => id === 'evt_2_2')
        list.splice(at, 2, eventAt(5, 44), eventAt(4, 45))
      }
    },
  },
  {
    kind: 'disorder',
    what: 'a version that is missing',
    plant: ({ feed }) => feed.push({ ...eventAt(6, 48), id: 'evt_2_6', version: 6, change: undefined }),
  },
  { kind: 'moved', what: 'an event that was read and is gone', plant: ({ feed }) => feed.pop() },
  {
    kind: 'moved',
    what: 'an event that has another number now',
    plant: ({ feed }) => {
      const [last] = feed.splice(-1)
      if (last) feed.push({ ...last, sequence: 48 })
    },
  },
  {
    kind: 'moved',
    what: 'an event that says something else now',
    plant: ({ feed }) => feed.splice(-1, 1, { ...eventAt(7), digest: 'another' }),
  },
  {
    kind: 'moved',
    what: 'an event that appeared before a place that was read',
    plant: ({ readers }) => readers[1]?.events.splice(3, 1),
  },
  { kind: 'unlisted', what: 'a stored event without a number', plant: ({ stored }) => stored.push('2 5') },
]

test('A feed in which every reader saw each change once, in order, breaks no rule', () => {
  const violations = judge(recordOf())
  assert.deepEqual(brokenRules(violations), [])
  assert.deepEqual(countsOf(violations), { lost: 0, twice: 0 })
})

for (const { kind, what, plant } of PLANTS)
  test(`The checker finds ${what}`, () => {
    const record = recordOf()
    plant(record)
    const violations = judge(record)
    assert.notDeepEqual(violations[kind], [])
    assert.ok(brokenRules(violations).some((sentence) => sentence.startsWith(RULES[kind].must)))
  })

test('Each rule has a violation that is planted', () => {
  assert.deepEqual(new Set(PLANTS.map(({ kind }) => kind)), new Set(Object.keys(RULES)))
})
