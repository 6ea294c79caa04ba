// The bodies that the document shows.

import { eventIdText } from '../../lib/ids/event-id.ts'
import { orderIdText } from '../../lib/ids/order-id.ts'
import { encodeCursor } from '../wire/cursor.ts'

const TIME = '2026-11-16T09:30:00.123Z'
const ORDER_ID = orderIdText({ petId: 1n, id: (BigInt(Date.parse(TIME)) << 21n) + 4_711n })
export const CURSOR = encodeCursor('feed', 42n, 4_711n)
export const EVENT_ID = eventIdText({ petId: 1n, version: 2n, at: BigInt(Date.parse(TIME)) * 1_000n })
export const KEY_ID = 'key_0a1B2c3D4e5F6g7H'

const PLACED = {
  specversion: '1.0',
  id: EVENT_ID,
  source: 'https://pets.example/v1',
  type: 'order.placed',
  subject: 'pets/1',
  time: TIME,
  sequence: '0000000000000042',
  data: {
    pet: { id: 1n, name: 'Rex', categoryId: 1n, status: 'pending', version: 2n, orderId: ORDER_ID },
    order: {
      id: ORDER_ID,
      petId: 1n,
      status: 'placed',
      placedAt: TIME,
      expiresAt: '2026-11-16T09:45:00.123Z',
      reference: 'basket-4711',
      placedBy: KEY_ID,
    },
    changed: ['status'],
    previous: { status: 'available' },
    keyId: KEY_ID,
  },
}

export const PAGES = { page: [PLACED], empty: [] }
