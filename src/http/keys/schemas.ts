import { Type } from 'typebox'
import type { KeyState } from '../../domain/keys.ts'
import { Cursor } from '../wire/pagination.ts'
import { BETA, Int64, Moment } from '../wire/schemas.ts'
import { CURSOR } from './examples.ts'

const keyFields = {
  id: Type.String({
    description: 'Identifies the key to the operator; not a secret.',
    examples: ['key_0a1B2c3D4e5F6g7H'],
  }),
  name: Type.String({ description: 'The name that the operator gave it.', examples: ['shop floor'] }),
  mode: Type.Unsafe<'live' | 'test'>({
    type: 'string',
    enum: ['live', 'test'],
    description:
      'Whether the key starts with petk_live_ or petk_test_. A test key works in the sandbox, if there is one.',
  }),
  scopes: Type.Array(Type.String(), { description: 'What the key may do.', examples: [['pets:read']] }),
  createdAt: Moment('When it was created.', '2026-11-15T09:30:00.000Z'),
  expiresAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When it expires; null if never.',
    examples: ['2027-11-15T09:30:00.000Z'],
  }),
  rateLimit: Type.Optional(
    Type.Object(
      {
        quota: Type.Integer({ minimum: 1, description: 'How many requests each window allows.', examples: [100] }),
        windowSeconds: Type.Integer({
          minimum: 1,
          description: 'The length of a window in seconds.',
          examples: [1],
        }),
      },
      { description: 'The rate limit of this key, if it has one.' },
    ),
  ),
  replacedBy: Type.Optional(
    Type.String({
      description: 'The id of the key that replaced it; ask the operator for that key.',
      examples: ['key_7H6g5F4e3D2c1B0a'],
    }),
  ),
}

export const Key = Type.Object(keyFields, { $id: 'Key', description: 'An API key, without its secret.' })

const CHAIN = 'that it shares with the keys it was rotated from and to'

export const ListedKey = Type.Object(
  {
    ...keyFields,
    state: Type.Unsafe<KeyState>({
      type: 'string',
      enum: ['active', 'replaced', 'expired', 'revoked'],
      description:
        '`active`: it works. `replaced`: it was rotated, and works until it expires. `expired` and `revoked`: it no longer works.',
      examples: ['active'],
    }),
    lastUsedAt: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it was last used, to the minute; null if never.',
      examples: ['2026-11-16T09:30:00.000Z'],
    }),
    openOrders: Type.Integer({
      minimum: 0,
      maximum: 50,
      description: `How many open orders count against the limit ${CHAIN}. Counting stops at 50: 50 stands for 50 or more.`,
      examples: [12],
    }),
    openOrderLimit: Type.Integer({
      minimum: 1,
      description: `How many open orders it may have: a limit ${CHAIN}.`,
      examples: [1_000],
    }),
    webhooks: Type.Integer({
      minimum: 0,
      description:
        'How many webhooks deliver for this key, or for one that it was rotated from or to, whatever their state.',
      examples: [1],
    }),
    deprecatedCalls: Int64({
      minimum: 0,
      description:
        'How often it called the deprecated operations that it still uses: those that it called in the last 30 days, counted from its first call. 0 if it called none in that time.',
      examples: [0],
    }),
  },
  { $id: 'ListedKey', description: 'An API key, without its secret, and what it does.', ...BETA },
)

export const ListedKeys = Type.Array(Type.Ref('ListedKey'), {
  $id: 'ListedKeys',
  description: 'Keys, newest first.',
  ...BETA,
})

export const KeyName = Type.Object(
  {
    id: Type.String({ description: 'The id of the key.', examples: ['key_0a1B2c3D4e5F6g7H'] }),
    name: Type.String({ description: 'The name that the operator gave it.', examples: ['Ben (weekend)'] }),
  },
  { $id: 'KeyName', description: 'The name of a key.', ...BETA },
)

export const KeyNames = Type.Array(Type.Ref('KeyName'), {
  $id: 'KeyNames',
  description: 'The names of the newest keys, newest first: at most 1,000.',
  ...BETA,
})

export const ListKeysQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Maximum number of keys returned.',
      examples: [50],
    }),
  ),
  cursor: Type.Optional(Type.Unsafe<string>({ ...Cursor, examples: [CURSOR] })),
})
