import { setTimeout as sleep } from 'node:timers/promises'
import type { Clause, Context } from '../../clause.ts'
import {
  about,
  deliveryClause,
  expectSigned,
  isSigned,
  type Open,
  type Opened,
  ORDERED,
  orderedPet,
  SOLD,
  signaturesOf,
  soldPet,
  versionsOf,
} from '../../deliveries.ts'
import { caughtUp, EVENTS, endOfFeed, follow, ofPets, someChanges } from '../../events.ts'
import { expect, expectStatus } from '../../expect.ts'
import { ACCEPTED, type Delivery } from '../../receiver.ts'
import { change, ping, rotate, type WithSecret, withSecretOf } from '../../webhooks.ts'

/** The clocks of both sides, and a busy machine. */
const TOLERANCE_S = 60
const MAX_UNDER_WAY = 8
/** What the parser of a careless sender would change. */
const EXACT = '{"name":"verify \\u00fc 🐢 \\"/\\" \\u2028","categoryId":9223372036854775807,"status":"available"}'

/** A webhook for sales, and the delivery of one. */
async function oneDelivery(context: Context, open: Open) {
  const opened = await open()
  const pet = await soldPet(context)
  const [delivery] = await opened.receiver.until(1, 'the event that a pet was sold', about(pet))
  return { ...opened, delivery, pet }
}

/** A delivery that the new secret of a webhook signs. Until the process that sends has noticed the rotation, the old one may. */
async function rotatedDelivery(context: Context, { webhook, receiver }: Opened, overlap: number) {
  const rotated = withSecretOf(await context.call(rotate(webhook.id, `{"overlap":${overlap}}`)), 200)
  for (let tries = 1; ; tries++) {
    const pet = await soldPet(context)
    const [delivery] = await receiver.until(1, 'the event that a pet was sold', about(pet))
    receiver.expect(tries < 20, 'a delivery that the new secret signs', 'none')
    if (isSigned(delivery, rotated.secret)) return { delivery, rotated }
    const hasOld = isSigned(delivery, webhook.secret)
    receiver.expect(hasOld, 'a delivery that the new secret or the old one signs', 'neither', delivery)
    await sleep(500)
  }
}

function expectSignatures({ receiver }: Opened, delivery: Delivery, secrets: WithSecret[]) {
  for (const { secret } of secrets)
    receiver.expect(isSigned(delivery, secret), 'signatures that verify', 'one that does not', delivery)
  const { length } = signaturesOf(delivery)
  receiver.expect(length === secrets.length, `${secrets.length} signatures`, String(length), delivery)
}

/** How many of these were under way at once, at most. */
function mostUnderWay(deliveries: Delivery[]) {
  return Math.max(
    ...deliveries.map(({ at }) => deliveries.filter((each) => each.at <= at && (each.endedAt ?? Infinity) > at).length),
  )
}

export const DELIVERIES: Clause[] = [
  deliveryClause(
    'webhooks.delivery.request',
    'A delivery is a POST to the URL of the webhook, of application/cloudevents+json.',
    async (context, open) => {
      const { receiver, delivery } = await oneDelivery(context, open)
      const { method, path, headers, body } = delivery
      const url = new URL(receiver.url)
      receiver.expect(method === 'POST', 'POST', method, delivery)
      receiver.expect(path === url.pathname + url.search, url.pathname + url.search, path, delivery)
      receiver.expect(headers.host === url.host, `Host: ${url.host}`, String(headers.host), delivery)
      const type = String(headers['content-type'])
      receiver.expect(type === 'application/cloudevents+json', 'application/cloudevents+json', type, delivery)
      const length = String(headers['content-length'])
      receiver.expect(length === String(Buffer.byteLength(body)), 'Content-Length', length, delivery)
    },
  ),
  deliveryClause(
    'webhooks.delivery.body',
    'The body of a delivery is the event as the feed has it, byte for byte.',
    async (context, open) => {
      const { receiver } = await open()
      const start = await endOfFeed(context, 'limit=100&type=order.completed')
      const pet = await soldPet(context, EXACT)
      const [delivery] = await receiver.until(1, 'the event that a pet was sold', about(pet))
      const { response } = await follow(context, `${start}&wait=1`, ({ data }) => data.pet?.id === pet.id)
      const { body } = delivery
      receiver.expect(body.startsWith('{') && response.text.includes(body), response.text, 'another body', delivery)
    },
  ),
  deliveryClause('webhooks.delivery.id', '`webhook-id` is the id of the event.', async (context, open) => {
    const { receiver, delivery, pet } = await oneDelivery(context, open)
    const response = await context.call({ path: `${EVENTS}?petId=${pet.id}` })
    const id = String(delivery.headers['webhook-id'])
    receiver.expect(id === delivery.event.id, 'the `id` in the body', id, delivery)
    expect(response, response.text.includes(`"id":"${id}"`), 'the id in the history of the pet', id)
  }),
  deliveryClause(
    'webhooks.w1.signature',
    'W1: A delivery has one signature, which verifies by Standard Webhooks with the secret of the webhook.',
    async (context, open) => {
      const opened = await oneDelivery(context, open)
      expectSignatures(opened, opened.delivery, [opened.webhook])
    },
  ),
  deliveryClause(
    'webhooks.w1.timestamp',
    'W1: `webhook-timestamp` is when a delivery was sent, in seconds.',
    async (context, open) => {
      const { receiver, delivery } = await oneDelivery(context, open)
      const stamp = String(delivery.headers['webhook-timestamp'])
      const isNow = /^\d+$/.test(stamp) && Math.abs(Number(stamp) - Date.now() / 1_000) < TOLERANCE_S
      receiver.expect(isNow, 'seconds since 1970, now', stamp, delivery)
    },
  ),
  deliveryClause(
    'webhooks.w1.own',
    'W1: Each webhook gets an event, signed with its own secret.',
    async (context, open) => {
      const both = await Promise.all([open(), open()])
      const pet = await soldPet(context)
      for (const opened of both) {
        const [delivery] = await opened.receiver.until(1, 'the event that a pet was sold', about(pet))
        expectSignatures(opened, delivery, [opened.webhook])
      }
    },
  ),
  deliveryClause(
    'webhooks.w1.overlap',
    'W1: While a rotation overlaps, a delivery verifies with the new secret and with the old one.',
    async (context, open) => {
      const opened = await open()
      const { delivery, rotated } = await rotatedDelivery(context, opened, 600)
      expectSignatures(opened, delivery, [rotated, opened.webhook])
    },
  ),
  deliveryClause(
    'webhooks.w1.rotated',
    'W1: After a rotation without an overlap only the new secret signs.',
    async (context, open) => {
      const opened = await open()
      const { delivery, rotated } = await rotatedDelivery(context, opened, 0)
      expectSignatures(opened, delivery, [rotated])
    },
  ),
  deliveryClause(
    'webhooks.delivery.types',
    'A webhook with types receives these, and no others.',
    async (context, open) => {
      const { receiver } = await open(['order.cancelled'])
      const pets = [await orderedPet(context, 2), await orderedPet(context, 1)]
      await receiver.until(3, 'three cancelled orders', about(...pets))
      const types = [...new Set(receiver.received.map(({ event }) => String(event.type)))]
      receiver.expect(types.join() === 'order.cancelled', 'only order.cancelled', types.join())
    },
  ),
  deliveryClause(
    'webhooks.w8',
    'W8: No event is skipped: a webhook for all types receives what the feed has.',
    async (context, open) => {
      const { receiver } = await open(null)
      const { start, pets } = await someChanges(context)
      const { events } = await caughtUp(context, start)
      const ids = new Set<unknown>(ofPets(events, ...pets).map(({ id }) => id))
      await receiver.until(ids.size, `the ${ids.size} events of four pets`, about(...pets))
      for (const { event } of receiver.received.filter(about(...pets))) ids.delete(event.id)
      receiver.expect(ids.size === 0, 'every event', `all but ${[...ids].join()}`)
    },
  ),
  deliveryClause(
    'webhooks.delivery.begin',
    'A new webhook receives nothing from before it was created.',
    async (context, open) => {
      const before = await soldPet(context)
      await caughtUp(context, await endOfFeed(context))
      const { receiver } = await open()
      const after = await soldPet(context)
      await receiver.until(1, 'the event that a pet was sold', about(after))
      const early = receiver.received.find(about(before))
      receiver.expect(early === undefined, 'no event from before', 'one', early)
    },
  ),
  deliveryClause(
    'webhooks.delivery.order',
    'The next event of a pet is sent when the one before was accepted.',
    async (context, open) => {
      const { receiver } = await open(ORDERED, async () => {
        await sleep(100)
        return ACCEPTED
      })
      const pets = await Promise.all([orderedPet(context, 3), orderedPet(context, 3)])
      await receiver.until(
        12,
        'twelve events of two pets',
        (delivery) => about(...pets)(delivery) && !!delivery.endedAt,
      )
      for (const pet of pets) {
        const own = receiver.received.filter(about(pet))
        const versions = versionsOf(own, pet).join()
        receiver.expect(versions === '2,3,4,5,6,7', 'the versions 2, 3, 4, 5, 6, 7', versions)
        receiver.expect(mostUnderWay(own) === 1, 'one event of a pet under way', String(mostUnderWay(own)))
      }
    },
  ),
  deliveryClause(
    'webhooks.delivery.together',
    'Events of different pets are sent together, at most 8.',
    async (context, open) => {
      const { receiver } = await open(SOLD, async () => {
        await sleep(200)
        return ACCEPTED
      })
      const pets = await Promise.all(Array.from({ length: 40 }, () => soldPet(context)))
      await receiver.until(pets.length, 'forty events', (delivery) => about(...pets)(delivery) && !!delivery.endedAt)
      const most = mostUnderWay(receiver.received)
      receiver.expect(most > 1 && most <= MAX_UNDER_WAY, '2 to 8 under way', String(most))
    },
  ),
  ...['active', 'paused'].map((state) =>
    deliveryClause(
      `webhooks.ping.sent.${state}`,
      `A ping is sent, signed, as \`webhook.ping\`, and is not in the feed: ${state}.`,
      async (context, open) => {
        const opened = await open()
        const { receiver, webhook } = opened
        await context.call(change(webhook.id, `{"state":"${state}"}`))
        const start = await endOfFeed(context)
        expectStatus(await context.call(ping(webhook.id)), 202)
        const isPing = ({ event }: Delivery) => event.type === 'webhook.ping'
        const [delivery] = await receiver.until(1, 'a ping', isPing)
        expectSigned(opened, delivery)
        const { id, subject } = delivery.event
        receiver.expect(subject === `webhooks/${webhook.id}`, 'the webhook as `subject`', String(subject), delivery)
        receiver.expect(id === delivery.headers['webhook-id'], '`webhook-id`, its id', String(id), delivery)
        const { events, response } = await caughtUp(context, start)
        expect(
          response,
          events.every((event) => event.id !== id),
          'a feed without the ping',
        )
      },
    ),
  ),
]
