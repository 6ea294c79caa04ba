// Sells pets with the published client: reserves two, lets one reservation expire, sells the other pet and takes the sale back. It leaves
// the pets as it found them.
import { setTimeout } from 'node:timers/promises'
import { createPetstore, type Order, type Pet, PetstoreError } from '@petstore/client'

const { pets, orders } = createPetstore({
  baseUrl: process.env['PETSTORE_URL'] ?? 'http://127.0.0.1:8080/v1',
  key: process.env['PETSTORE_KEY'] ?? '',
})

try {
  const { pets: available } = await pets.list({ status: 'available', limit: 2 }).page()
  const [first, second] = available
  if (!first || !second) throw new Error('The store needs two pets whose status is available.')
  console.log(`available: ${describe(first)}, ${describe(second)}`)

  // An order reserves one pet. Orders that belong together have the same reference.
  const reference = `basket-${crypto.randomUUID()}`
  const short = await orders.place({ petId: first.id, expiresIn: 1, reference })
  console.log(`reserved ${describe(first)} for 1 second: ${short.id}`)
  const sale = await orders.place({ petId: second.id, reference })
  console.log(`reserved ${describe(second)} until ${sale.expiresAt}: ${sale.id}`)

  // One buyer wins. Orders of the others are rejected.
  console.log(`another buyer wants ${describe(second)}: ${await codeOf(orders.place({ petId: second.id }))}`)

  const expired = await waitUntilExpired(short)
  console.log(`${expired.id} has expired; completing it now: ${await codeOf(orders.complete(expired.id))}`)
  const again = await orders.place({ petId: first.id, reference })
  console.log(`reserved ${describe(first)} again: ${again.id}`)
  console.log(`${(await orders.cancel(again.id)).status} ${again.id}`)

  // Capture the payment only after this: docs/orders.md has the steps.
  const sold = await orders.complete(sale.id)
  console.log(`${sold.status} ${sold.id}: ${describe(second)} is sold`)

  // Taking back a sale needs the version of the pet, so that it does not happen by accident.
  const takeBack = { status: 'available' } as const
  console.log(`taking the sale back without a version: ${await codeOf(pets.update(second.id, takeBack))}`)
  const [record] = (await pets.list({ ids: [second.id], view: 'full' }).page()).pets
  const { status, version } = await pets.update(second.id, takeBack, { ifMatch: record?.version })
  console.log(`taking it back with version ${record?.version}: ${describe(second)} is ${status}, version ${version}`)

  for await (const order of orders.list({ reference }))
    console.log(`${order.id} of pet ${order.petId}: ${order.status}`)
} catch (error) {
  if (!(error instanceof PetstoreError)) throw error
  console.error(`${error.code} (request ${error.requestId}): ${error.message}`)
  process.exitCode = 1
}

function describe({ id, name }: Pet) {
  return `${id} ${name}`
}

/** Why the service rejects a call that it must reject. */
async function codeOf(call: Promise<unknown>) {
  const error = await call.then(
    () => new Error('The service should have rejected this.'),
    (caught: unknown) => caught,
  )
  if (error instanceof PetstoreError && error.status) return `${error.status} ${error.code}`
  throw error
}

/** The service ends an order some moments after `expiresAt`, never before it. */
async function waitUntilExpired({ id }: Order): Promise<Order> {
  for (;;) {
    const order = await orders.get(id)
    if (order.status !== 'placed') return order
    await setTimeout(200)
  }
}
