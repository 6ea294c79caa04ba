import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Outbox } from '../../src/delivery/outbox.ts'
import { delayAfter, retryAfterOf } from '../../src/delivery/retry.ts'
import { TIMES } from '../../src/lib/times.ts'
import type { FeedEvent } from '../../src/storage/events/pages.ts'

const { delaysMs, giveUpMs } = TIMES.retries
const START = { sequence: 0n, pageToken: 1n }
const DELIVERED = { isDelivered: true, isGone: false, retryAfterMs: 0 }
const FAILED = { isDelivered: false, isGone: false, retryAfterMs: 0 }

/** Events of these pets, with numbers from 1. */
function eventsOf(pets: readonly number[], from = 1): FeedEvent[] {
  return pets.map((pet, i) => {
    const sequence = BigInt(from + i)
    return {
      id: `evt_${sequence}`,
      petId: BigInt(pet),
      at: sequence * 1_000_000n,
      sequence: String(sequence),
      type: 'pet.updated',
      pet: undefined,
      order: undefined,
      added: undefined,
      idRanges: undefined,
      changed: undefined,
      previous: undefined,
      keyId: undefined,
      position: { sequence, pageToken: 1n },
    }
  })
}

function outboxOf(pets: readonly number[], stored = {}) {
  const outbox = new Outbox({
    position: START,
    failingSince: undefined,
    failures: 0,
    nextAttemptAt: undefined,
    ...stored,
  })
  if (!('failures' in stored)) deliverSome(outbox)
  outbox.add({ events: eventsOf(pets), next: { sequence: BigInt(pets.length), pageToken: 1n } })
  return outbox
}

/** More than it takes for it to have eight under way. */
function deliverSome(outbox: Outbox) {
  outbox.add({ events: eventsOf([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], -9), next: START })
  for (let event = outbox.take(0); event; event = outbox.take(0)) outbox.settle(event, DELIVERED, 0)
}

function takeAll(outbox: Outbox, now = 0) {
  const taken: FeedEvent[] = []
  for (let event = outbox.take(now); event; event = outbox.take(now)) taken.push(event)
  return taken
}

const numbersOf = (events: readonly FeedEvent[]) => events.map(({ position }) => Number(position.sequence))

test('eight are under way at most, and one of each pet', () => {
  assert.deepEqual(numbersOf(takeAll(outboxOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))), [1, 2, 3, 4, 5, 6, 7, 8])
  assert.deepEqual(numbersOf(takeAll(outboxOf([1, 1, 2, 1, 2, 3]))), [1, 3, 6])
  assert.deepEqual(numbersOf(takeAll(outboxOf([0, 0, 1]))), [1, 3], 'events of the whole store have an order too')
})

test('one more is under way after each delivery, and one alone after a failure', () => {
  const outbox = outboxOf([1, 2, 3, 4, 5, 6, 7], { failures: 0 })
  const [first, ...none] = takeAll(outbox)
  assert.deepEqual(none, [])
  outbox.settle(first!, DELIVERED, 0)
  const [second, third] = takeAll(outbox)
  outbox.settle(second!, DELIVERED, 0)
  assert.equal(takeAll(outbox).length, 2)
  outbox.settle(third!, DELIVERED, 0)
  assert.equal(takeAll(outbox).length, 2)
})

test('the position is before the first event that was not delivered, and at the end of what was read if there is none', () => {
  const outbox = outboxOf([1, 2, 3])
  const [first, second, third] = takeAll(outbox)
  outbox.settle(third!, DELIVERED, 0)
  outbox.settle(second!, DELIVERED, 0)
  assert.equal(outbox.progress.position.sequence, 0n)
  assert.equal(outbox.oldestAt, 1_000)
  outbox.settle(first!, DELIVERED, 0)
  assert.equal(outbox.progress.position.sequence, 3n)
  assert.equal(outbox.oldestAt, undefined)
  outbox.add({ events: [], next: { sequence: 1_000n, pageToken: 2n } })
  assert.deepEqual(outbox.progress.position, { sequence: 1_000n, pageToken: 2n })
})

test('after a failure nothing is begun; then the first is tried alone, and what was delivered is not sent again', () => {
  const outbox = outboxOf([1, 2, 3, 1, 4])
  const [first, second, third, fifth] = takeAll(outbox)
  outbox.settle(first!, FAILED, 1_000)
  outbox.settle(second!, DELIVERED, 1_100)
  assert.deepEqual(takeAll(outbox, 1_100), [])
  assert.equal(outbox.progress.failures, 0)
  outbox.settle(third!, FAILED, 1_200)
  outbox.settle(fifth!, DELIVERED, 1_300)
  const { failures, failingSince, nextAttemptAt = 0 } = outbox.progress
  assert.deepEqual([failures, failingSince], [1, 1_000])
  assert.ok(nextAttemptAt >= 5_300 && nextAttemptAt <= 7_300, `${nextAttemptAt}`)
  assert.deepEqual(takeAll(outbox, nextAttemptAt - 1), [])
  assert.deepEqual(takeAll(outbox, nextAttemptAt), [first])
  outbox.settle(first!, FAILED, 8_000)
  assert.deepEqual([outbox.progress.failures, outbox.progress.failingSince], [2, 1_000])
  assert.deepEqual(takeAll(outbox, 100_000), [first])
  outbox.settle(first!, DELIVERED, 100_000)
  assert.deepEqual(
    { ...outbox.progress },
    { position: { sequence: 2n, pageToken: 1n }, failures: 0, failingSince: undefined, nextAttemptAt: undefined },
  )
  assert.deepEqual(numbersOf(takeAll(outbox, 100_000)), [3, 4], 'two at first')
})

test('a webhook that was failing continues as it was stored', () => {
  const outbox = outboxOf([1, 2], { failingSince: 1_000, failures: 3, nextAttemptAt: 5_000 })
  assert.deepEqual(takeAll(outbox, 4_999), [])
  const [event, ...others] = takeAll(outbox, 5_000)
  assert.deepEqual(others, [])
  outbox.settle(event!, FAILED, 5_000)
  assert.deepEqual([outbox.progress.failures, outbox.progress.failingSince], [4, 1_000])
})

test('W5: a receiver that is gone, or has failed for five days, gets nothing more', () => {
  const gone = outboxOf([1, 2])
  const [first, second] = takeAll(gone)
  gone.settle(first!, { ...FAILED, isGone: true }, 0)
  gone.settle(second!, DELIVERED, 0)
  assert.ok(gone.isEnded)
  assert.deepEqual(takeAll(gone, Number.MAX_SAFE_INTEGER), [])

  for (const [at, isEnded] of [
    [giveUpMs - 1, false],
    [giveUpMs, true],
  ] as const) {
    const failing = outboxOf([1], { failingSince: 0, failures: 100 })
    failing.settle(takeAll(failing, at)[0]!, FAILED, at)
    assert.equal(failing.isEnded, isEnded)
  }
})

test('a retry is tried at its time, unless the next attempt is sooner; where none waits it changes nothing', () => {
  const outbox = outboxOf([1, 2])
  outbox.retryBy(0)
  const [first, second] = takeAll(outbox)
  outbox.settle(first!, FAILED, 1_000)
  outbox.retryBy(1_500)
  outbox.settle(second!, DELIVERED, 2_000)
  const { nextAttemptAt = 0 } = outbox.progress
  assert.ok(nextAttemptAt > 5_000, 'one that was requested while it was under way has no effect on the next')
  outbox.retryBy(nextAttemptAt + 1)
  assert.equal(outbox.progress.nextAttemptAt, nextAttemptAt)
  outbox.retryBy(3_000)
  assert.deepEqual(takeAll(outbox, 2_999), [])
  assert.deepEqual(takeAll(outbox, 3_000), [first])
  assert.equal(outbox.progress.failures, 1)
  outbox.settle(first!, FAILED, 3_100)
  const after = outbox.progress
  assert.equal(after.failures, 2)
  assert.ok(after.nextAttemptAt! > 20_000, 'the waits continue')
})

test('the delays grow from five seconds to an hour, and differ by a fifth', () => {
  const seconds = [1, 2, 3, 4, 5, 6, 7, 100].map((failures) => delayAfter(failures, delaysMs, 0.5) / 1_000)
  assert.deepEqual(seconds, [5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600])
  assert.deepEqual([delayAfter(1, delaysMs, 0), delayAfter(1, delaysMs, 1)], [4_000, 6_000])
})

test('Retry-After is a number of seconds or a date; anything else counts as none', () => {
  const now = Date.parse('2026-11-16T12:00:00Z')
  const said: [string | undefined, number][] = [
    [undefined, 0],
    ['0', 0],
    ['7', 7_000],
    ['3600', 3_600_000],
    ['3601', 3_600_000],
    ['99999999999999999999', 3_600_000],
    ['Mon, 16 Nov 2026 12:00:30 GMT', 30_000],
    ['Mon, 16 Nov 2026 11:00:00 GMT', 0],
    ['Tue, 17 Nov 2026 12:00:00 GMT', 3_600_000],
    ['-5', 0],
    ['soon', 0],
    ['', 0],
  ]
  for (const [header, ms] of said) assert.equal(retryAfterOf(header, now), ms, String(header))
})

test('W2: whatever fails: all events are delivered, those of a pet in order, and the position is never beyond one that was not', () => {
  const step = fc.record({ pick: fc.nat(), isDelivered: fc.boolean() })
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 40 }),
      fc.array(step),
      (pets, steps) => {
        const outbox = outboxOf(pets)
        const delivered: number[] = []
        const underWay: FeedEvent[] = []
        let now = 0
        const settle = (pick: number, isDelivered: boolean) => {
          const [event] = underWay.splice(pick % underWay.length, 1)
          if (isDelivered) delivered.push(Number(event!.position.sequence))
          outbox.settle(event!, isDelivered ? DELIVERED : FAILED, now)
        }
        for (let i = 0; delivered.length < pets.length; i++) {
          now += 10_000_000
          underWay.push(...takeAll(outbox, now))
          assert.ok(underWay.length > 0 && underWay.length <= 8)
          assert.equal(new Set(underWay.map(({ petId }) => petId)).size, underWay.length)
          const { pick = 0, isDelivered = true } = steps[i] ?? {}
          settle(pick, isDelivered && !outbox.isEnded)
          for (let number = 1; number <= outbox.progress.position.sequence; number++)
            assert.ok(delivered.includes(number))
          if (outbox.isEnded) return
        }
        assert.equal(outbox.progress.position.sequence, BigInt(pets.length))
        assert.equal(new Set(delivered).size, pets.length)
        for (const pet of pets) {
          const ofPet = delivered.filter((number) => pets[number - 1] === pet)
          assert.deepEqual(
            ofPet,
            ofPet.toSorted((a, b) => a - b),
          )
        }
      },
    ),
  )
})
