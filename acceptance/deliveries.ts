import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clause, Context } from './clause.ts'
import { expect, isObject, objectOf, type Pet } from './expect.ts'
import { close, orderOf, place } from './orders.ts'
import { type Delivery, Receiver, type Respond } from './receiver.ts'
import type { Response } from './response.ts'
import { newPet } from './store.ts'
import { create, get, inTurn, removeWebhook, type WithSecret, withSecretOf } from './webhooks.ts'

export interface Opened {
  webhook: WithSecret
  receiver: Receiver
}

/** Creates a webhook with a receiver of its own; both end with the clause. Types that few clients make keep the others out. */
export type Open = (types?: string[] | null, respond?: Respond) => Promise<Opened>

export const SOLD = ['order.completed']
export const ORDERED = ['order.placed', 'order.cancelled']
const LATEST_MS = 8_000
const INTERVAL_MS = 100
/** Other clauses have webhooks too, and other clients may: a place is free again in some seconds. */
const PLACE_MS = 500
const MAX_TRIES = 40

/** A clause that receives what the service sends. */
export function deliveryClause(
  id: string,
  sentence: string,
  run: (context: Context, open: Open) => Promise<void>,
): Clause {
  return {
    id,
    profile: 'store',
    sentence,
    setting: 'local receivers',
    run: async (context) => {
      await using opened = new AsyncDisposableStack()
      await run(context, async (types = SOLD, respond) => {
        const receiver = opened.use(await Receiver.start(respond))
        const response = await created(context, JSON.stringify({ url: receiver.url, ...(types && { types }) }))
        const webhook = withSecretOf(response, 201)
        receiver.createdBy = response.request
        // What cannot be removed must not hide why the clause failed.
        opened.defer(() => inTurn(() => context.call(removeWebhook(webhook.id))).then(undefined, () => {}))
        return { webhook, receiver }
      })
    },
  }
}

async function created({ call }: Context, body: string) {
  for (let tries = 1; ; tries++) {
    const response = await inTurn(() => call(create(body)))
    if (response.status !== 409 || tries === MAX_TRIES) return response
    await sleep(PLACE_MS)
  }
}

/** A pet that was added and sold: one event of the type that a webhook has by default. */
export async function soldPet(context: Context, body = newPet('available')) {
  const pet = await context.add(body)
  await sell(context, pet)
  return pet
}

export async function sell({ call }: Pick<Context, 'call'>, pet: Pet) {
  const order = orderOf(await call(place(pet.id)), 201)
  orderOf(await call(close(order.id, 'complete')))
}

/** An available pet that is ordered and released again, so often: two events each time. */
export async function orderedPet({ call, add }: Context, times: number) {
  const pet = await add(newPet('available'))
  for (let i = 0; i < times; i++) {
    const order = orderOf(await call(place(pet.id)), 201)
    orderOf(await call(close(order.id, 'cancel')))
  }
  return pet
}

/** Whether a delivery is about one of these pets. */
export function about(...pets: Pick<Pet, 'id'>[]) {
  const subjects = new Set<unknown>(pets.map(({ id }) => `pets/${id}`))
  return ({ event }: Delivery) => subjects.has(event.subject)
}

function versionIn({ event }: Delivery) {
  const pet = isObject(event.data) ? event.data['pet'] : undefined
  return isObject(pet) ? Number(pet['version']) : Number.NaN
}

/** What arrived about one pet, each event once: the contract allows that some come again. */
export function versionsOf(deliveries: Delivery[], pet: Pick<Pet, 'id'>) {
  return [...new Set(deliveries.filter(about(pet)).map(versionIn))]
}

export function signaturesOf({ headers }: Delivery) {
  return String(headers['webhook-signature'] ?? '').split(' ')
}

/** Whether one of its signatures is that of this secret, by Standard Webhooks. */
export function isSigned(delivery: Delivery, secret: string) {
  const { headers, body } = delivery
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  return signaturesOf(delivery).includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
}

export function expectSigned({ receiver, webhook }: Opened, delivery: Delivery) {
  receiver.expect(isSigned(delivery, webhook.secret), 'a signature that verifies', 'one that does not', delivery)
}

/** The webhook as it is shown, once it is as expected. */
export async function untilShown(
  { call }: Pick<Context, 'call'>,
  { webhook }: Opened,
  expected: string,
  isExpected: (shown: Record<string, unknown>) => boolean,
) {
  return untilResponse(() => call(get(webhook.id)), expected, objectOf, isExpected)
}

/** What a response says, once it is as expected. */
export async function untilResponse<Read>(
  request: () => Promise<Response>,
  expected: string,
  read: (response: Response) => Read,
  isExpected: (value: Read) => boolean,
) {
  const deadline = performance.now() + LATEST_MS
  for (;;) {
    const response = await request()
    const value = read(response)
    if (isExpected(value)) return { response, value }
    expect(response, performance.now() < deadline, expected)
    await sleep(INTERVAL_MS)
  }
}
