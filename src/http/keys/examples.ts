import { numbersOfKeyId } from '../../lib/ids/key-id.ts'
import { encodeCursor } from '../wire/cursor.ts'

// The bodies that the document shows. A test stores what leads to each, and expects the response as it is written here.

const KEY_IDS = { shop: 'key_0a1B2c3D4e5F6g7H', reports: 'key_7H6g5F4e3D2c1B0a' }

export const CURSOR = encodeCursor('keys', ...numbersOfKeyId(KEY_IDS.reports))

export const EXAMPLES = {
  whole: {
    id: KEY_IDS.shop,
    name: 'shop floor',
    mode: 'live',
    scopes: ['pets:read', 'pets:write'],
    createdAt: '2026-11-15T09:30:00.000Z',
    expiresAt: '2027-11-15T09:30:00.000Z',
    rateLimit: { quota: 100, windowSeconds: 1 },
    replacedBy: KEY_IDS.reports,
  },
  least: {
    id: KEY_IDS.reports,
    name: 'reports',
    mode: 'test',
    scopes: ['pets:read'],
    createdAt: '2026-11-15T09:30:00.000Z',
    expiresAt: null,
  },
}

export const PAGES = {
  page: [
    {
      ...EXAMPLES.least,
      id: 'key_9Z8y7X6w5V4u3T2s',
      state: 'active',
      lastUsedAt: '2026-11-16T09:30:00.000Z',
      openOrders: 0,
      openOrderLimit: 1_000,
      webhooks: 0,
      deprecatedCalls: 12n,
    },
    {
      id: KEY_IDS.shop,
      name: 'Ben (weekend)',
      mode: 'live',
      scopes: ['pets:read', 'orders:read', 'orders:write', 'webhooks:manage', 'events:read'],
      createdAt: '2026-11-14T09:30:00.000Z',
      expiresAt: null,
      rateLimit: { quota: 100, windowSeconds: 1 },
      state: 'active',
      lastUsedAt: '2026-11-15T16:00:00.000Z',
      openOrders: 3,
      openOrderLimit: 20,
      webhooks: 1,
      deprecatedCalls: 0n,
    },
    {
      id: KEY_IDS.reports,
      name: 'old till',
      mode: 'live',
      scopes: ['pets:read'],
      createdAt: '2026-11-13T09:30:00.000Z',
      expiresAt: '2027-11-13T09:30:00.000Z',
      state: 'revoked',
      lastUsedAt: null,
      openOrders: 0,
      openOrderLimit: 1_000,
      webhooks: 0,
      deprecatedCalls: 0n,
    },
  ],
}

export const NAMES = {
  names: PAGES.page.map(({ id, name }) => ({ id, name })),
}
