import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivered } from '../../bench/webhooks/receiver.ts'
import { brokenRules, judge, type Kind, RULES, repeatsIn } from '../../faults/deliver/judge.ts'
import type { DeliveryRecord, FeedEvent } from '../../faults/deliver/record.ts'

const events: FeedEvent[] = Array.from({ length: 60 }, (_, i) => ({
  sequence: 41 + i,
  petId: 1 + (i % 20),
  version: 1 + Math.floor(i / 20),
  type: i % 2 === 0 ? 'pet.updated' : 'order.placed',
}))

/** The event of this index, at a time. */
function deliveredAt(endpoint: string, index: number, at: number): Delivered {
  const { sequence, petId, version } = events[index] as FeedEvent
  return { endpoint, sequence, petId, version, at, eventAt: 0, id: `evt_${petId}_${version}` }
}

/** One endpoint of all types and one of some, and a kill after which a second of events came again. */
function recordOf(): DeliveryRecord {
  const all = events.map((_, i) => deliveredAt('all', i, i * 200 + (i < 40 ? 0 : 6_000)))
  const again = Array.from({ length: 10 }, (_, i) => deliveredAt('all', 30 + i, 13_000 + i))
  return {
    endpoints: [
      { name: 'all', types: undefined },
      { name: 'some', types: ['pet.updated'] },
    ],
    events: [...events],
    acknowledged: ['1 1', '20 3'],
    delivered: [
      ...all.slice(0, 40),
      ...again,
      ...all.slice(40),
      ...events.flatMap(({ type }, i) => (type === 'pet.updated' ? [deliveredAt('some', i, i * 200)] : [])),
    ],
    kills: [{ from: 8_000, to: 8_050 }],
  }
}

interface Plant {
  kind: Kind
  /** As a sentence with "there is". */
  what: string
  plant: (record: DeliveryRecord) => unknown
}

const PLANTS: Plant[] = [
  { kind: 'lost', what: 'an event that one endpoint missed', plant: ({ delivered }) => delivered.splice(-3, 1) },
  {
    kind: 'lost',
    what: 'an endpoint that got nothing',
    plant: ({ endpoints }) => endpoints.push({ name: 'none', types: undefined }),
  },
  {
    kind: 'lost',
    what: 'an acknowledged change that is not in the feed',
    plant: ({ acknowledged }) => acknowledged.push('1 4'),
  },
  {
    kind: 'uninvited',
    what: 'an event of another type',
    plant: ({ delivered }) => delivered.push(deliveredAt('some', 1, 9_000)),
  },
  {
    kind: 'uninvited',
    what: 'an event with another number',
    plant: ({ delivered }) => Object.assign(delivered[5] ?? {}, { sequence: 99 }),
  },
  {
    kind: 'disorder',
    what: 'a version that came before an earlier one',
    plant: ({ delivered }) => {
      const [first, second] = [delivered[3] as Delivered, delivered[23] as Delivered]
      delivered.splice(3, 1, second)
      delivered.splice(23, 1, first)
    },
  },
  {
    kind: 'renamed',
    what: 'an event that came again with another id',
    plant: ({ delivered }) => Object.assign(delivered[45] ?? {}, { id: 'evt_other' }),
  },
  {
    kind: 'twice',
    what: 'an event that came again before a process was killed',
    plant: ({ delivered }) => delivered.splice(40, 0, deliveredAt('all', 39, 7_950)),
  },
  {
    kind: 'twice',
    what: 'an event that was delivered long after the kill, and came again',
    plant: ({ delivered }) => delivered.push(deliveredAt('all', 59, 20_000)),
  },
  { kind: 'twice', what: 'an event that came again although no process was killed', plant: ({ kills }) => kills.pop() },
  {
    kind: 'tooMany',
    what: 'a kill after which more came again than was not stored',
    plant: ({ delivered }) =>
      delivered.push(...Array.from({ length: 15 }, (_, i) => deliveredAt('all', i, 14_000 + i))),
  },
]

test('Deliveries of every event in order, some again after a kill, break no rule', () => {
  const record = recordOf()
  assert.deepEqual(brokenRules(judge(record)), [])
  assert.deepEqual(repeatsIn(record), [{ count: 10, ms: 200 }])
})

test('What was under way beyond an event that failed may come again, however long ago it was delivered', () => {
  const record = recordOf()
  record.delivered.push(...Array.from({ length: 7 }, (_, i) => deliveredAt('all', i, 14_000 + i)))
  assert.deepEqual(brokenRules(judge(record)), [])
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
