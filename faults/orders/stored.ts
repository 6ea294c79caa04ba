import pg from 'pg'

export interface StoredPet {
  id: bigint
  status: string | null
  version: bigint
  /** The order that holds it. */
  orderId: string | null
}

export interface StoredOrder {
  orderId: string
  petId: bigint
  /** Of the pet, as this order has made it. */
  version: bigint
  status: 'placed' | 'completed' | 'cancelled' | 'expired'
  reference: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
  closedAt: number | null
}

export interface StoredShop {
  pets: StoredPet[]
  orders: StoredOrder[]
}

/** An id is opaque to callers; the checker may know that it is the id of the pet and that of the order. */
export const ORDER_ID = (petId: string, id: string) =>
  `'ord_' || translate(encode(substring(int8send(${petId}) from 2) || int8send(${id}), 'base64'), '+/', '-_')`

/** The pets whose names begin with the label, and all orders for them or with such a reference, as of one moment. */
export async function readShop(databaseUrl: string, label: string): Promise<StoredShop> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const pets = await client.query<Record<'id' | 'status' | 'version' | 'orderId', string>>(
      `select id::text, status, version::text, ${ORDER_ID('id', 'held_by')} as "orderId"
       from pets where starts_with(name, $1)`,
      [`${label} `],
    )
    const orders = await client.query<Omit<StoredOrder, 'petId' | 'version'> & { petId: string; version: string }>(
      `select ${ORDER_ID('pet_id', 'id')} as "orderId", pet_id::text as "petId", version::text, status, reference,
              (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
              (extract(epoch from closed_at) * 1000)::float8 as "closedAt"
       from orders
       where starts_with(reference, $1) or pet_id in (select id from pets where starts_with(name, $1))
       order by orders.pet_id, orders.version`,
      [`${label} `],
    )
    return {
      pets: pets.rows.map(({ id, version, ...pet }) => ({ ...pet, id: BigInt(id), version: BigInt(version) })),
      orders: orders.rows.map(({ petId, version, ...order }) => ({
        ...order,
        petId: BigInt(petId),
        version: BigInt(version),
      })),
    }
  } finally {
    await client.end()
  }
}
