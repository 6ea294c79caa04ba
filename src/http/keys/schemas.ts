import { Type } from 'typebox'
import { Moment } from '../wire/schemas.ts'

export const Key = Type.Object(
  {
    id: Type.String({
      description: 'Identifies the key to the operator; not a secret.',
      examples: ['key_0a1B2c3D4e5F6g7H'],
    }),
    name: Type.String({ description: 'The name that the operator gave it.', examples: ['shop floor'] }),
    mode: Type.Unsafe<'live' | 'test'>({
      type: 'string',
      enum: ['live', 'test'],
      description: 'Whether the key starts with petk_live_ or petk_test_. A label only: both work on the same pets.',
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
  },
  { $id: 'Key', description: 'An API key, without its secret.' },
)

export const EXAMPLES = {
  whole: {
    id: 'key_0a1B2c3D4e5F6g7H',
    name: 'shop floor',
    mode: 'live',
    scopes: ['pets:read', 'pets:write'],
    createdAt: '2026-11-15T09:30:00.000Z',
    expiresAt: '2027-11-15T09:30:00.000Z',
    rateLimit: { quota: 100, windowSeconds: 1 },
    replacedBy: 'key_7H6g5F4e3D2c1B0a',
  },
  least: {
    id: 'key_7H6g5F4e3D2c1B0a',
    name: 'reports',
    mode: 'test',
    scopes: ['pets:read'],
    createdAt: '2026-11-15T09:30:00.000Z',
    expiresAt: null,
  },
}
