import {
  createPetstore,
  type EventType,
  type NewPet,
  PetstoreError,
  type PetstoreEvent,
  stringify,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '@petstore/client'

/** A caller's program, the same in every engine. What it returns has passed through JSON, so digits are texts. */
export async function useClient(baseUrl: string, key: string) {
  const requestIds = new Set<string | undefined>()
  const { pets, orders } = createPetstore({ baseUrl, key, onResponse: ({ requestId }) => requestIds.add(requestId) })

  const met: bigint[] = []
  for await (const pet of pets.list({ status: 'available' })) met.push(pet.id)

  const extremes: NewPet[] = [
    { name: 'Largest', categoryId: 9_223_372_036_854_775_807n },
    { name: 'Smallest', categoryId: -9_223_372_036_854_775_808n },
  ]
  const added: bigint[] = []
  for (const pet of extremes) added.push((await pets.create(pet)).id)
  const found = await pets.list({ ids: added }).page()

  const refusal = await pets
    .list({ limit: 101 })
    .page()
    .catch((error: unknown) => error)
  if (!(refusal instanceof PetstoreError)) throw new Error('a limit of 101 was not rejected')

  const largest = found.pets[0]?.id ?? 0n
  const { version } = await insist(() => pets.update(largest, { status: 'available' }))
  const order = await orders.place({ petId: largest })
  const [record] = (await pets.list({ ids: [largest], view: 'full' }).page()).pets
  await orders.complete(order.id)
  const mismatch = await insist(() => pets.delete(largest, { ifMatch: version })).catch((error: unknown) => error)

  return {
    sold: [String(record?.version), record?.orderId === order.id, order.petId === largest],
    currentVersion: mismatch instanceof PetstoreError ? String(mismatch.currentVersion) : undefined,
    met: met.length,
    distinct: new Set(met).size,
    categoryIds: found.pets.map(({ categoryId }) => String(categoryId)),
    written: stringify({ categoryId: found.pets[0]?.categoryId }),
    delivered: await receive(9_223_372_036_854_775_807n),
    requestIds: requestIds.size > 100,
    refusal: { code: refusal.code, status: refusal.status, hasRequestId: refusal.requestId !== undefined },
  }
}

/** Signs an event as the service does, and returns what the receiver finds in it, and in one that was changed. */
async function receive(id: bigint) {
  const pet = { id, name: 'Rex', categoryId: 1n, version: 1n }
  const body = stringify({ id: 'evt_1', type: 'pet.created', data: { pet } })
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const secret = new Uint8Array(32)
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = new TextEncoder().encode(`evt_1.${timestamp}.${body}`)
  const signature = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))))
  const headers = new Headers({
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  })
  const text = `whsec_${btoa(String.fromCharCode(...secret))}`
  const { type, data } = await verifyWebhook(body, headers, text)
  const changed = await verifyWebhook(body.replace('Rex', 'Max'), headers, text).catch((error: unknown) => error)
  return [type, String(data.pet?.id), changed instanceof WebhookVerificationError && changed.code]
}

/** Changes are not retried if their outcome is unknown. These two can be: the second one changes nothing. */
async function insist<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof PetstoreError && ['connection_failed', 'unavailable'].includes(error.code)) return insist(call)
    throw error
  }
}

/** Never run: what each type of event has is known by its type. */
export function narrow(event: PetstoreEvent | WebhookEvent, type: EventType) {
  const all: EventType | 'webhook.ping' = event.type
  switch (event.type) {
    case 'order.placed':
    case 'order.completed':
    case 'order.cancelled':
    case 'order.expired': {
      const reserved: bigint = event.data.order.petId
      return [reserved, event.data.pet.version, event.data.changed]
    }
    case 'pet.created':
    case 'pet.updated':
    case 'pet.deleted':
      return [event.data.pet.id, event.data.keyId]
    case 'pets.imported':
      return [event.data.added]
    case 'webhook.ping':
    // A type of a later version comes here.
    default:
      return [event.data, all, type]
  }
}

/** Never run: each of these lines must not compile. */
export async function mistakes(event: PetstoreEvent) {
  // @ts-expect-error an added pet has no order
  if (event.type === 'pet.created') console.log(event.data.order.id)
  // @ts-expect-error there is no such type of event
  if (event.type === 'pet.sold') console.log(event.id)
  // @ts-expect-error a key is a text, or a function that returns one
  const { pets, orders, webhooks } = createPetstore({ baseUrl: 'http://127.0.0.1/v1', key: 7 })
  // @ts-expect-error a number cannot hold an int64
  await pets.create({ name: 'Rex', categoryId: 7 })
  // @ts-expect-error there is no such status
  pets.list({ status: 'lost' })
  // @ts-expect-error only a full view has versions
  for await (const { version } of pets.list({ view: 'basic' })) console.log(version)
  // @ts-expect-error a version is a bigint
  await pets.update(1n, { status: 'available' }, { ifMatch: '3' })
  // @ts-expect-error a change has one field or more
  await pets.update(1n, {})
  // @ts-expect-error a change has one field or more
  await webhooks.update('wh_1', {})
  // @ts-expect-error the function returns a key
  createPetstore({ baseUrl: 'http://127.0.0.1/v1', key: async () => undefined })
  // @ts-expect-error the id of an order is a text
  await orders.complete(1n)
  // @ts-expect-error there is no such status
  orders.list({ status: 'sold' })
  // @ts-expect-error there is no such type of event
  await webhooks.create({ url: 'https://shop.example/hooks', types: ['pet.sold'] })
  // @ts-expect-error a body that was parsed has no signature
  await verifyWebhook({}, new Headers(), 'whsec_')
  // @ts-expect-error a code is a text
  return new PetstoreError('a_code_of_a_later_version', '').code === 404
}
