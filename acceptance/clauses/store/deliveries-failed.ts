import { setTimeout as sleep } from 'node:timers/promises'
import type { Clause } from '../../clause.ts'
import {
  about,
  deliveryClause,
  expectSigned,
  ORDERED,
  orderedPet,
  SOLD,
  soldPet,
  untilResponse,
  untilShown,
  versionsOf,
} from '../../deliveries.ts'
import { expect, isObject } from '../../expect.ts'
import { ACCEPTED, type Delivery, type Respond } from '../../receiver.ts'
import { attempts, attemptsOf, change } from '../../webhooks.ts'

/** The first attempt again is after 5 s, a fifth more or less; and some seconds more on a busy machine. */
const FIRST_DELAY_MS = [4_000, 6_000] as const
const BUSY_MS = 4_000
/** A timer may be early, as this clock sees it. */
const EARLY_MS = 100
/** What was under way when a delivery failed has arrived by then. */
const UNDER_WAY_MS = 500
const NO_RESPONSE_MS = 15_000
const ELSEWHERE = '/elsewhere'

const failing: Respond = () => ({ status: 500 })

/** Rejects the first delivery so, and accepts whatever follows. */
function firstGets(status: number): Respond {
  let isFirst = true
  return () => {
    if (!isFirst) return ACCEPTED
    isFirst = false
    return { status }
  }
}

const isFailing = ({ failingSince }: Record<string, unknown>) => failingSince !== undefined
const idOf = ({ headers }: Delivery) => String(headers['webhook-id'])
const hasEnded = ({ endedAt }: Delivery) => endedAt !== undefined

export const DELIVERIES_FAILED: Clause[] = [
  deliveryClause(
    'webhooks.w10',
    'W10: A receiver that never responds has one request under way, for 15 s, and no other webhook waits.',
    async (context, open) => {
      const hanging = await open(SOLD, () => new Promise(() => {}))
      const { receiver } = await open()
      const first = await soldPet(context)
      const [held] = await hanging.receiver.until(1, 'the event that a pet was sold')
      const others = [await soldPet(context), await soldPet(context), await soldPet(context)]
      await receiver.until(4, 'the events of all pets', about(first, ...others))
      await sleep(NO_RESPONSE_MS - BUSY_MS - (performance.now() - held.at))
      hanging.receiver.expect(held.endedAt === undefined, 'the first under way for 15 s', 'it has ended')
      const { length } = hanging.receiver.received
      hanging.receiver.expect(length === 1, 'one request', String(length))
      const [given] = await hanging.receiver.until(1, 'a request that is given up', hasEnded)
      const ms = Math.round((given.endedAt ?? 0) - held.at)
      const inTime = ms > NO_RESPONSE_MS - EARLY_MS && ms < NO_RESPONSE_MS + BUSY_MS
      hanging.receiver.expect(inTime, 'the request given up after 15 s', `after ${ms} ms`)
    },
  ),
  deliveryClause(
    'webhooks.w2.again',
    'W2: After a 500 the event comes again in 4 to 6 s, the same with the same `webhook-id`, signed again.',
    async (context, open) => {
      const opened = await open(SOLD, firstGets(500))
      const { receiver } = opened
      await soldPet(context)
      const [first] = await receiver.until(1, 'a delivery', hasEnded)
      const again = ({ body, at }: Delivery) => body === first.body && at > first.at
      const [second] = await receiver.until(1, 'the event again', again)
      const ms = Math.round(second.at - (first.endedAt ?? 0))
      const inTime = ms >= FIRST_DELAY_MS[0] - EARLY_MS && ms <= FIRST_DELAY_MS[1] + BUSY_MS
      receiver.expect(inTime, 'the event again after 4 to 6 s', `after ${ms} ms`, second)
      receiver.expect(idOf(second) === idOf(first), `webhook-id: ${idOf(first)}`, idOf(second), second)
      const [before, now] = [first, second].map(({ headers }) => Number(headers['webhook-timestamp']))
      receiver.expect((now ?? 0) > (before ?? 0), 'a later `webhook-timestamp`', String(now), second)
      expectSigned(opened, second)
    },
  ),
  deliveryClause(
    'webhooks.w2.recovers',
    'W2: A receiver that has failed gets every event, none lost, each pet in order.',
    async (context, open) => {
      const accepted: Delivery[] = []
      const rejectFirst = firstGets(503)
      const { receiver } = await open(ORDERED, (delivery) => {
        const reply = rejectFirst(delivery)
        if (reply === ACCEPTED) accepted.push(delivery)
        return reply
      })
      const pets = await Promise.all([orderedPet(context, 2), orderedPet(context, 2), orderedPet(context, 2)])
      await receiver.until(12, 'twelve events of three pets', (each) => accepted.includes(each) && about(...pets)(each))
      for (const pet of pets) {
        const versions = versionsOf(accepted, pet).join()
        receiver.expect(versions === '2,3,4,5', 'the versions 2, 3, 4, 5', versions)
      }
    },
  ),
  deliveryClause(
    'webhooks.w2.quiet',
    'W2: After a failure nothing is sent for 4 s, also if there are more events.',
    async (context, open) => {
      const { receiver } = await open(SOLD, failing)
      await soldPet(context)
      const [first] = await receiver.until(1, 'a delivery', hasEnded)
      const begin = first.endedAt ?? 0
      const end = begin + FIRST_DELAY_MS[0] - EARLY_MS
      while (performance.now() < end) {
        await soldPet(context)
        await sleep(500)
      }
      const early = receiver.received.filter(({ at }) => at > begin + UNDER_WAY_MS && at < end)
      receiver.expect(early.length === 0, 'no request for 4 s', String(early.length), early[0])
    },
  ),
  deliveryClause(
    'webhooks.w2.shown',
    'W2: A webhook shows since when it fails, how often, when it is tried again, and its last attempt.',
    async (context, open) => {
      const opened = await open(SOLD, failing)
      const pet = await soldPet(context)
      const { response, value } = await untilShown(context, opened, '`failingSince`', isFailing)
      const { attempts: failures, nextAttemptAt, failingSince, lastAttempt, state, behind } = value
      expect(response, failures === 1n && state === 'active', 'one attempt, and still active')
      const delay = Date.parse(String(nextAttemptAt)) - Date.parse(String(failingSince))
      const isFirst = delay >= FIRST_DELAY_MS[0] - EARLY_MS && delay <= FIRST_DELAY_MS[1] + BUSY_MS
      expect(response, isFirst, '`nextAttemptAt` 4 to 6 s after the failure', `${delay} ms`)
      expect(response, isObject(lastAttempt) && lastAttempt['status'] === 500n, '`lastAttempt` with 500')
      const [delivery] = opened.receiver.received
      expect(response, lastAttempt['eventId'] === delivery?.event.id, '`lastAttempt` with the event')
      expect(response, typeof behind === 'bigint' && behind > 0n, `\`behind\` of the pet ${pet.id}`)
    },
  ),
  deliveryClause(
    'webhooks.retry-after',
    '`Retry-After` of a receiver is honoured: ten minutes, where it would be 5 s.',
    async (context, open) => {
      const opened = await open(SOLD, () => ({ status: 429, headers: { 'Retry-After': '600' } }))
      await soldPet(context)
      const { response, value } = await untilShown(context, opened, '`failingSince`', isFailing)
      const seconds = (Date.parse(String(value['nextAttemptAt'])) - Date.now()) / 1_000
      expect(response, seconds > 540 && seconds < 660, '`nextAttemptAt` in ten minutes', `in ${seconds} s`)
    },
  ),
  ...[302, 307].map((status) =>
    deliveryClause(
      `webhooks.w4.${status}`,
      `W4: A redirect is a failure, and is not followed: ${status}.`,
      async (context, open) => {
        const opened = await open(SOLD, ({ path, headers }) =>
          path === ELSEWHERE ? ACCEPTED : { status, headers: { Location: `http://${headers.host}${ELSEWHERE}` } },
        )
        const { receiver } = opened
        await soldPet(context)
        await receiver.until(1, 'a delivery')
        const { response, value } = await untilShown(context, opened, '`failingSince`', isFailing)
        const { lastAttempt } = value
        const isRedirect = isObject(lastAttempt) && lastAttempt['status'] === BigInt(status)
        expect(response, isRedirect, `\`lastAttempt\` with ${status}`)
        const followed = receiver.received.find(({ path }) => path === ELSEWHERE)
        receiver.expect(followed === undefined, 'no request to the Location', 'one', followed)
      },
    ),
  ),
  deliveryClause(
    'webhooks.w5.disabled',
    'W5: After a 410 a webhook is disabled, and nothing more is sent.',
    async (context, open) => {
      const opened = await open(SOLD, () => ({ status: 410 }))
      await soldPet(context)
      await untilShown(context, opened, '`state` disabled', ({ state }) => state === 'disabled')
      const { length } = opened.receiver.received
      await soldPet(context)
      // Longer than until the first attempt again.
      await sleep(FIRST_DELAY_MS[1] + 1_500)
      opened.receiver.expect(opened.receiver.received.length === length, 'no further request', 'one')
    },
  ),
  deliveryClause(
    'webhooks.w5.continues',
    'W5: A webhook that was disabled and is active again continues where it stood.',
    async (context, open) => {
      const opened = await open(SOLD, firstGets(410))
      const { receiver } = opened
      await soldPet(context)
      await untilShown(context, opened, '`state` disabled', ({ state }) => state === 'disabled')
      const [first] = receiver.received
      const pet = await soldPet(context)
      await context.call(change(opened.webhook.id, '{"state":"active"}'))
      await receiver.until(1, 'the event that came meanwhile', about(pet))
      const again = receiver.received.filter((each) => first && idOf(each) === idOf(first))
      receiver.expect(again.length > 1, 'the event that got 410 again', 'nothing', first)
    },
  ),
  ...[200, 202, 299].map((status) =>
    deliveryClause(
      `webhooks.accepted.${status}`,
      `Any 2xx accepts a delivery, and is among the attempts: ${status}.`,
      async (context, open) => {
        const { receiver, webhook } = await open(SOLD, async () => {
          await sleep(120)
          return { status }
        })
        const pet = await soldPet(context)
        const [delivery] = await receiver.until(1, 'the event that a pet was sold', about(pet))
        const { response, value } = await untilResponse(
          () => context.call(attempts(webhook.id)),
          'an attempt with the event',
          (page) => attemptsOf(page).filter(isObject),
          (list) => list.some(({ eventId }) => eventId === delivery.event.id),
        )
        const own = value.filter(({ eventId }) => eventId === delivery.event.id)
        expect(response, own.length === 1, 'one attempt', String(own.length))
        const [{ status: shown, error, durationMs } = {}] = own
        expect(response, shown === BigInt(status) && error === undefined, `an attempt with ${status} and no error`)
        const isLong = typeof durationMs === 'bigint' && durationMs >= 100n && durationMs < 10_000n
        expect(response, isLong, '`durationMs`, as long as the receiver took', String(durationMs))
      },
    ),
  ),
  deliveryClause(
    'webhooks.attempts.error',
    'An attempt without a response has an error, and no status.',
    async (context, open) => {
      const { receiver, webhook } = await open()
      receiver[Symbol.dispose]()
      await soldPet(context)
      const { response, value } = await untilResponse(
        () => context.call(attempts(webhook.id)),
        'an attempt',
        (page) => attemptsOf(page).filter(isObject),
        (list) => list.length > 0,
      )
      const [{ status, error } = {}] = value
      const hasError = typeof error === 'string' && error !== '' && status === undefined
      expect(response, hasError, 'an `error`, and no `status`')
      expect(response, !error.includes('127.0.0.1'), 'an error without an address')
    },
  ),
]
