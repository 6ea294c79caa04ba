import assert from 'node:assert/strict'
import pg from 'pg'
import { CANCELLED, MISSING_ID, PAGES } from '../../src/http/orders/examples.ts'
import { storeStatement } from '../../src/storage/orders/idempotent-orders.ts'
import { postJson, type startApp } from './app.ts'
import { createTestKey, insertPets } from './factories.ts'
import { insertOrder, ORDERS, type Order } from './orders.ts'

/** How to provoke each error that only operations on orders have, as the document words it. The first pet is sold. */
export async function orderErrors({ call, pool, url }: Awaited<ReturnType<typeof startApp>>) {
  const cancelled = CANCELLED.order as Order
  const completed = { ...(PAGES.page[1] as Order), status: 'completed', closedAt: cancelled.closedAt! }
  await insertOrder(pool, cancelled)
  await insertOrder(pool, completed)
  const [available, other] = await insertPets(pool, ['available', 'available'])
  const place = (petId: bigint | undefined, headers: Record<string, string> = {}) =>
    call(ORDERS, postJson({ petId }, headers))
  const notFound = (action: string, method: string) => ({
    '404 order_not_found': () => call(`${ORDERS}/${MISSING_ID}${action}`, { method }),
  })

  return {
    listOrders: {
      '400 invalid_parameter': () => call(`${ORDERS}?petId=1&reference=basket`),
      '400 invalid_cursor': () => call(`${ORDERS}?cursor=x`),
    },
    countOrders: {
      '400 invalid_parameter': () => call(`${ORDERS}/count?status=placed&from=2026-11-16T00:00:00Z`),
    },
    placeOrder: {
      '400 invalid_json': () => call(ORDERS, postJson('{')),
      '400 invalid_body': () => call(ORDERS, postJson('{}')),
      '400 invalid_idempotency_key': () => place(available, { 'idempotency-key': '"' }),
      '404 pet_not_found': () => place(999n),
      '409 pet_not_available': () => place(1n),
      '409 too_many_open_orders': () => withManyOpenOrders(),
      '409 idempotency_in_progress': () => whileItsKeyIsBeingStored(),
      '413 payload_too_large': () => call(ORDERS, postJson(' '.repeat(65_537))),
      '415 unsupported_media_type': () =>
        call(ORDERS, { ...postJson({ petId: 1 }), headers: { 'content-type': 'text/plain' } }),
      '422 idempotency_key_reused': async () => {
        assert.equal((await place(available, { 'idempotency-key': 'reused' })).status, 201)
        return place(other, { 'idempotency-key': 'reused' })
      },
    },
    getOrder: notFound('', 'GET'),
    completeOrder: {
      ...notFound('/complete', 'POST'),
      '409 order_closed': () => call(`${ORDERS}/${cancelled.id}/complete`, { method: 'POST' }),
    },
    cancelOrder: {
      ...notFound('/cancel', 'POST'),
      '409 order_closed': () => call(`${ORDERS}/${completed.id}/cancel`, { method: 'POST' }),
    },
  }

  /** A key that has as many open orders as it may have. */
  async function withManyOpenOrders() {
    const own = await createTestKey(pool)
    const [petId] = await insertPets(pool, ['available'])
    await pool.query(
      `insert into orders (pet_id, id, version, expires_at, chain_id)
       select 1000000 + i, 1, 2, now() + interval '1 day', $1 from generate_series(1, 1000) as i`,
      [own.id],
    )
    return call(ORDERS, { ...postJson({ petId }), key: own.key })
  }

  /** Another process has stored the key and does not commit, for longer than a request may wait. */
  async function whileItsKeyIsBeingStored() {
    const own = await createTestKey(pool)
    const [petId] = await insertPets(pool, ['available'])
    const client = new pg.Client(url)
    await client.connect()
    await client.query('begin')
    const input = { petId: petId!, expiresIn: 900 }
    const keyed = {
      apiKeyId: own.id,
      chainId: own.id,
      key: 'slow',
      fingerprints: ['00'] as [string],
      attempt: 1,
      input,
    }
    await client.query(storeStatement([keyed]))
    const answer = await call(ORDERS, { ...postJson({ petId }, { 'idempotency-key': 'slow' }), key: own.key })
    assert.equal(answer.headers.get('retry-after'), '1')
    await client.end()
    return answer
  }
}
