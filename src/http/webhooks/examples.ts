// The bodies that the document shows. A test expects each response as it is written here; attempts it stores by SQL.

import { eventIdText } from '../../lib/ids/event-id.ts'
import { encodeCursor } from '../wire/cursor.ts'

const TIME = '2026-11-16T09:30:00.123Z'
export const WEBHOOK_ID = 'wh_0a1B2c3D4e5F6g7H8i9J'
/** An id that no webhook has. */
export const MISSING_ID = 'wh_J9i8H7g6F5e4D3c2B1a0'
export const KEY_ID = 'key_0a1B2c3D4e5F6g7H'
export const CURSOR = encodeCursor('feed', 42n, 4_711n)
export const EVENT_ID = eventIdText({ petId: 1n, version: 2n, at: BigInt(Date.parse(TIME)) * 1_000n })
// Not a secret of any webhook: an example must look like one.
export const SECRET = `whsec_${Buffer.from('an example, which signs nothing.').toString('base64')}`

const URL = 'https://shop.example/hooks'
const NAME = 'Accounting'
const CREATED = {
  id: WEBHOOK_ID,
  name: NAME,
  url: URL,
  types: ['order.completed', 'order.cancelled'],
  state: 'active',
  createdAt: '2026-11-16T09:00:00.000Z',
  createdBy: KEY_ID,
  changedBy: KEY_ID,
  sequence: '0000000000000042',
  behind: 0,
}
const FAILED = {
  at: TIME,
  eventId: EVENT_ID,
  status: 500,
  error: 'The status was 500.',
  durationMs: 84,
  responseBody: '{"error":"out of stock"}',
}
const { name: _, ...UNNAMED } = CREATED
const FAILING = {
  ...UNNAMED,
  id: 'wh_K0j1I2h3G4f5E6d7C8b9',
  types: null,
  sequence: '0000000000000040',
  behind: 2,
  failingSince: TIME,
  attempts: 1,
  nextAttemptAt: '2026-11-16T09:30:05.456Z',
  lastAttempt: FAILED,
}

export const NEW_WEBHOOKS = {
  some: { url: URL, types: ['order.completed', 'order.cancelled'], name: NAME },
  all: { url: URL },
}
export const NEWLY_CREATED = {
  some: { ...CREATED, secret: SECRET },
  all: { ...UNNAMED, types: null, secret: SECRET },
}
export const LISTS = { webhooks: [CREATED, FAILING], empty: [] }
export const FOUND = {
  working: CREATED,
  failing: FAILING,
  revoked: { ...CREATED, id: 'wh_U0t1S2r3Q4p5O6n7M8l9', state: 'paused', reason: 'key_revoked' },
}
export const PATCHES = {
  pause: { state: 'paused' },
  all: { types: null },
  unnamed: { name: null },
  replay: { state: 'active', cursor: CURSOR },
}
export const PATCHED = {
  pause: { ...CREATED, state: 'paused' },
  all: { ...CREATED, types: null },
  unnamed: UNNAMED,
  replay: CREATED,
}
export const ROTATIONS = { hour: { overlap: 3_600 }, usual: {} }
export const ROTATED = {
  hour: { ...CREATED, oldSecretEndsAt: '2026-11-16T10:30:00.123Z', secret: SECRET },
  usual: { ...CREATED, oldSecretEndsAt: '2026-11-17T09:30:00.123Z', secret: SECRET },
}
export const ATTEMPTS = {
  attempts: [{ at: '2026-11-16T09:30:05.456Z', eventId: EVENT_ID, status: 204, durationMs: 31 }, FAILED],
  none: [],
}

const DELIVERED_BY = { specversion: '1.0', source: 'https://pets.example/v1', time: TIME }
export const DELIVERED = {
  event: {
    ...DELIVERED_BY,
    id: EVENT_ID,
    type: 'pet.updated',
    subject: 'pets/1',
    sequence: '0000000000000043',
    data: {
      pet: { id: 1n, name: 'Rex', categoryId: 1n, status: 'available', version: 2n },
      changed: ['name'],
      previous: { name: 'Max' },
      keyId: KEY_ID,
    },
  },
  ping: {
    ...DELIVERED_BY,
    id: 'evt_ping_6BXkSPUgQ2Jc4fKq0VJx',
    type: 'webhook.ping',
    subject: `webhooks/${WEBHOOK_ID}`,
    data: {},
  },
}

export const NOT_FOUND = `No webhook has the id ${MISSING_ID}.`
