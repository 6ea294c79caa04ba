import { setTimeout as sleep } from 'node:timers/promises'
import type { Clause } from '../../clause.ts'
import { about, deliveryClause, SOLD, sell, soldPet, untilResponse, untilShown } from '../../deliveries.ts'
import { expect, expectStatus, isObject, objectOf, type Pet } from '../../expect.ts'
import { ACCEPTED, type Delivery, type Reply } from '../../receiver.ts'
import { expectConflict, newPet } from '../../store.ts'
import { attempts, attemptsOf, change, get, ping, retry } from '../../webhooks.ts'

/** Longer than any wait that comes by itself, and that a clause could take for a retry. */
const LATER = { 'Retry-After': '600' }
const REJECTED: Reply = { status: 422, headers: LATER, body: '{"error":"unknown pet ж"}' }
/** From the request to the attempt. */
const SOON_MS = 5_000
/** Two requests for a retry take effect so far apart. */
const APART_MS = 10_000
/** The clocks of both sides, and how exact times are shown. */
const TOLERANCE_MS = 2_000
/** Short of the time of the next one. */
const QUIET_MS = 7_000

const isPing = ({ event }: Delivery) => event.type === 'webhook.ping'
const isRejected = ({ status }: Record<string, unknown>) => status === 422n
const isFailing = ({ failingSince }: Record<string, unknown>) => failingSince !== undefined
/** Accepts a ping, so that attempts say what a receiver responds, and the events of other pets. */
const rejects = (pet: Pet, reply: Reply) => (delivery: Delivery) => (about(pet)(delivery) ? reply : ACCEPTED)

const BODIES: [id: string, what: string, body: string | Buffer, shown: string | undefined][] = [
  ['text', 'as it is', '{"error":"unknown pet ж"}', '{"error":"unknown pet ж"}'],
  ['long', 'its first 1,024 bytes if it is longer', 'x'.repeat(5_000), 'x'.repeat(1_024)],
  ['cut', 'cut at a character', 'x'.repeat(1_023) + 'ж'.repeat(10), 'x'.repeat(1_023)],
  ['bytes', 'text also if it is none', Buffer.from([0x61, 0xff, 0x00, 0x62]), 'a\ufffdb'],
  ['empty', 'absent if it is empty', '', undefined],
]

export const DELIVERIES_RETRIED: Clause[] = [
  ...BODIES.map(([id, what, body, shown]) =>
    deliveryClause(
      `webhooks.response.${id}`,
      `The body of a response that is not 2xx is shown with the attempt: ${what}.`,
      async (context, open) => {
        const pet = await context.add(newPet('available'))
        const { webhook, receiver } = await open(SOLD, rejects(pet, { ...REJECTED, body }))
        expectStatus(await context.call(ping(webhook.id)), 202)
        await receiver.until(1, 'a ping', isPing)
        await sell(context, pet)
        await receiver.until(1, 'the event that a pet was sold', about(pet))
        const { response, value } = await untilResponse(
          () => context.call(attempts(webhook.id)),
          'an attempt that was rejected, and one that was accepted',
          (page) => attemptsOf(page).filter(isObject),
          (list) => list.some(isRejected) && list.length >= 2,
        )
        const isAnyShown = value.some((attempt) => !isRejected(attempt) && 'responseBody' in attempt)
        expect(response, !isAnyShown, 'no `responseBody` of what was accepted')
        const given = value.find(isRejected)?.['responseBody']
        expect(response, given === shown, `\`responseBody\` ${shown ?? 'absent'}`, String(given))
      },
    ),
  ),
  deliveryClause(
    'webhooks.response.first',
    'Before a URL has accepted a first request, no attempt shows what it responds; a new URL begins so again.',
    async (context, open) => {
      const opened = await open(SOLD, () => REJECTED)
      const { webhook, receiver } = opened
      await soldPet(context)
      const { response, value } = await untilShown(context, opened, '`failingSince`', isFailing)
      const { lastAttempt } = value
      expect(response, isObject(lastAttempt) && lastAttempt['status'] === 422n, '`lastAttempt` with 422')
      expect(response, !('responseBody' in lastAttempt), 'no `responseBody`')
      await context.call(change(webhook.id, JSON.stringify({ url: `${receiver.url}&again`, state: 'active' })))
      const isAgain = ({ path }: Delivery) => path.endsWith('&again')
      await receiver.until(1, 'a request to the new URL', isAgain)
      const all = await untilResponse(
        () => context.call(attempts(webhook.id)),
        'an attempt at the new URL',
        (page) => attemptsOf(page).filter(isObject),
        (list) => list.length >= 2,
      )
      const isShown = all.value.some((attempt) => 'responseBody' in attempt)
      expect(all.response, !isShown, 'no `responseBody`')
    },
  ),
  deliveryClause(
    'webhooks.retry',
    '`retryWebhook` is 202 without a body, and what waits is tried within 5 s; then nothing waits: 409.',
    async (context, open) => {
      let reply = REJECTED
      const pet = await context.add(newPet('available'))
      const opened = await open(SOLD, (delivery) => rejects(pet, reply)(delivery))
      const { webhook, receiver } = opened
      await sell(context, pet)
      await untilShown(context, opened, '`failingSince`', isFailing)
      reply = ACCEPTED
      const begun = performance.now()
      const response = await context.call(retry(webhook.id))
      expectStatus(response, 202)
      expect(response, response.text === '', 'no body')
      const [, second] = await receiver.until(2, 'the event again', about(pet))
      const ms = Math.round((second?.at ?? 0) - begun)
      receiver.expect(ms < SOON_MS, 'the event again within 5 s', `after ${ms} ms`, second)
      await untilShown(context, opened, 'no `failingSince`', (shown) => !isFailing(shown))
      expectConflict(await context.call(retry(webhook.id)), 'nothing_to_retry')
    },
  ),
  deliveryClause(
    'webhooks.retry.apart',
    'A retry that is requested again takes effect 10 s after the one before: a receiver is not hammered.',
    async (context, open) => {
      const pet = await context.add(newPet('available'))
      const opened = await open(SOLD, rejects(pet, REJECTED))
      const { webhook, receiver } = opened
      await sell(context, pet)
      await untilShown(context, opened, '`failingSince`', isFailing)
      const first = Date.now()
      expectStatus(await context.call(retry(webhook.id)), 202)
      await untilShown(context, opened, '`attempts` 2', ({ attempts: failures }) => failures === 2n)
      for (let i = 0; i < 3; i++) expectStatus(await context.call(retry(webhook.id)), 202)
      const response = await context.call(get(webhook.id))
      const ms = Date.parse(String(objectOf(response)['nextAttemptAt'])) - first
      const isApart = ms > APART_MS - TOLERANCE_MS && ms < APART_MS + TOLERANCE_MS
      expect(response, isApart, '`nextAttemptAt` 10 s after the first request', `${ms} ms`)
      await sleep(first + QUIET_MS - Date.now())
      const { length } = receiver.received.filter(about(pet))
      receiver.expect(length === 2, 'two attempts so far', String(length))
    },
  ),
  deliveryClause(
    'webhooks.retry.disabled',
    '`retryWebhook` of a disabled webhook is 409: it must be active first.',
    async (context, open) => {
      const opened = await open(SOLD, () => ({ status: 410 }))
      await soldPet(context)
      await untilShown(context, opened, '`state` disabled', ({ state }) => state === 'disabled')
      expectConflict(await context.call(retry(opened.webhook.id)), 'nothing_to_retry')
    },
  ),
]
