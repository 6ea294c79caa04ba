import { Type } from 'typebox'

const Moment = (description: string, example: string) =>
  Type.String({ format: 'date-time', description, examples: [example] })

export const Key = Type.Object(
  {
    id: Type.String({
      description: 'By which the operator knows the key; no secret.',
      examples: ['key_0a1B2c3D4e5F6g7H'],
    }),
    name: Type.String({ description: 'What the operator has called it.', examples: ['shop floor'] }),
    mode: Type.Unsafe<'live' | 'test'>({
      type: 'string',
      enum: ['live', 'test'],
      description: 'As the text of the key says.',
    }),
    scopes: Type.Array(Type.String(), { description: 'What the key may do.', examples: [['pets:read']] }),
    createdAt: Moment('When it was made.', '2026-11-15T09:30:00.000Z'),
    expiresAt: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it ends; null if never.',
      examples: ['2027-11-15T09:30:00.000Z'],
    }),
    rateLimit: Type.Optional(
      Type.Object(
        {
          quota: Type.Integer({ minimum: 1, description: 'So many calls …', examples: [100] }),
          windowSeconds: Type.Integer({
            minimum: 1,
            description: '… in each window of so many seconds.',
            examples: [1],
          }),
        },
        { description: 'The limit that holds for this key, where one does.' },
      ),
    ),
    replacedBy: Type.Optional(
      Type.String({
        description: 'The id of the key that was made in its place: ask the operator for that one.',
        examples: ['key_7H6g5F4e3D2c1B0a'],
      }),
    ),
  },
  { $id: 'Key', description: 'An API key, without its text.' },
)
