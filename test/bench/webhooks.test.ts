import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Capacity, missedCapacity } from '../../bench/webhooks/capacity.ts'
import { type CatchUp, missedCatchUp } from '../../bench/webhooks/catch-up.ts'
import { deliveriesOf } from '../../bench/webhooks/deliveries.ts'
import type { Delivered } from '../../bench/webhooks/receiver.ts'
import { missedSteady, type Steady } from '../../bench/webhooks/steady.ts'

const PETS = [7, 8, 7, 7]
/** The events 11 to 14, of pet 7 in the versions 2 to 4, of pet 8 in version 2. */
function delivered(endpoint: string, ...sequences: number[]): Delivered[] {
  return sequences.map((sequence) => {
    const petId = PETS[sequence - 11] ?? 9
    const version = 2 + PETS.slice(0, sequence - 11).filter((pet) => pet === petId).length
    return {
      endpoint,
      sequence,
      petId,
      version,
      at: 1_050 + sequence,
      eventAt: 1_000 + sequence,
      id: `evt_${sequence}`,
    }
  })
}

test('each endpoint must receive each event, those of a pet in order', () => {
  const judged = (...received: Delivered[]) => {
    const { lags, ...counts } = deliveriesOf(received, ['a', 'b'], [10, 14])
    assert.deepEqual(
      lags,
      Array.from({ length: counts.delivered }, () => 50),
    )
    return counts
  }
  const whole = delivered('a', 11, 12, 13, 14)
  assert.deepEqual(judged(...whole, ...delivered('b', 12, 11, 13, 14)), {
    delivered: 8,
    lost: 0,
    disordered: 0,
    again: 0,
  })
  assert.deepEqual(judged(...whole), { delivered: 4, lost: 4, disordered: 0, again: 0 })
  assert.deepEqual(judged(...whole, ...delivered('b', 11, 13, 14)), { delivered: 7, lost: 1, disordered: 0, again: 0 })
  assert.deepEqual(judged(...whole, ...delivered('b', 11, 12, 14, 13)).disordered, 2)
  assert.deepEqual(judged(...whole, ...delivered('b', 11, 12, 14)), { delivered: 7, lost: 1, disordered: 1, again: 0 })
  // What comes again is neither lost nor out of order, and replaces nothing.
  assert.deepEqual(judged(...whole, ...delivered('b', 11, 12, 13, 11, 13)), {
    delivered: 7,
    lost: 1,
    disordered: 0,
    again: 2,
  })
  assert.deepEqual(judged(...whole, ...delivered('b', 10, 11, 12, 13, 15), ...delivered('c', 14)).lost, 1)
})

const steady = (changes: Partial<Steady>): Steady => ({
  endpoints: 100,
  healthy: 89,
  troubled: 10,
  events: 600,
  perSecond: 1_900,
  delivered: 59_400,
  lost: 0,
  disordered: 0,
  again: 3,
  verified: 600,
  wrong: [],
  p50: 100,
  p99: 2_000,
  recoveredSeconds: 10,
  deadBehind: 600,
  cpuDeliver: 300,
  cpuDatabase: 2,
  cpuReceiver: 100,
  ...changes,
})

test('no event may be lost, out of order, late or signed wrongly, whatever other endpoints do', () => {
  assert.deepEqual(missedSteady(steady({}), 2_000), [])
  const missed: [Partial<Steady>, string][] = [
    [{ lost: 1_000 }, '1,000 events were not delivered'],
    [{ disordered: 2 }, '2 events came in another order than the versions of their pet'],
    [{ verified: 0 }, 'no signature was verified'],
    [{ wrong: ['one', 'two'] }, '2 requests were wrong, as this one: one'],
    [{ p99: 2_001 }, 'healthy endpoints have an event after 2001 ms (p99), not 2000'],
    [{ p99: Number.NaN }, 'healthy endpoints have an event after NaN ms (p99), not 2000'],
    [{ recoveredSeconds: undefined }, 'endpoints that had recovered were still behind after minutes'],
    [{ deadBehind: 599 }, 'a dead endpoint is 599 events behind, not 600'],
  ]
  for (const [changes, sentence] of missed) assert.deepEqual(missedSteady(steady(changes), 2_000), [sentence])
})

test('a process must reach its rate, and so must two', () => {
  const capacity = (processes: number, perSecond: number): Capacity => ({
    processes,
    perSecond,
    cpuDeliver: 1,
    cpuReceiver: 0.5,
    cpuDatabase: 0.1,
  })
  assert.deepEqual(missedCapacity([capacity(1, 2_000), capacity(2, 2_000)], 2_000), [])
  assert.deepEqual(missedCapacity([capacity(1, 2_000), capacity(2, 1_999)], 2_000), [
    '2 deliver: 1,999 deliveries a second, not 2,000',
  ])
  assert.equal(missedCapacity([capacity(1, Number.NaN)], 2_000).length, 1, 'nothing was measured')
})

test('an endpoint must catch up in time, with every event in order', () => {
  const catchUp = (changes: Partial<CatchUp>): CatchUp => ({
    behind: 360_000,
    perSecond: 100,
    seconds: 599,
    delivered: 420_000,
    lost: 0,
    disordered: 0,
    ...changes,
  })
  assert.deepEqual(missedCatchUp(catchUp({}), 600), [])
  assert.deepEqual(missedCatchUp(catchUp({ seconds: undefined, lost: 5 }), 600), [
    'an endpoint 360,000 events behind did not catch up within 600 s',
  ])
  assert.deepEqual(missedCatchUp(catchUp({ lost: 1, disordered: 2 }), 600), [
    '1 of the events that were missed were not delivered',
    '2 of the events that were missed came in another order than the versions of their pet',
  ])
})
