import { Type } from 'typebox'

export const DeprecatedUse = Type.Object(
  {
    operation: Type.String({ description: 'The deprecated operation that this key called.', examples: ['getPet'] }),
    method: Type.String({ description: 'Its method.', examples: ['GET'] }),
    path: Type.String({ description: 'Its path.', examples: ['/v1/pets/{petId}'] }),
    calls: Type.Unsafe<bigint>({
      type: 'integer',
      format: 'int64',
      description: 'How often this key called it.',
      examples: [12],
    }),
    firstCalled: Type.String({
      format: 'date-time',
      description: 'When this key first called it.',
      examples: ['2026-11-20T09:15:00.000Z'],
    }),
    lastCalled: Type.String({
      format: 'date-time',
      description: 'When this key last called it.',
      examples: ['2026-12-01T17:30:00.000Z'],
    }),
    sunset: Type.String({
      format: 'date',
      description: 'The day on which it will be removed.',
      examples: ['2030-12-05'],
    }),
    successor: Type.String({ description: 'What to call instead.', examples: ['/v1/pets?id={petId}'] }),
    documentation: Type.String({ description: 'Where the change is documented.', examples: ['/docs#get-pet'] }),
  },
  { $id: 'DeprecatedUse', description: 'How one key uses one deprecated operation.' },
)

export const DeprecatedUses = Type.Array(Type.Ref('DeprecatedUse'), {
  $id: 'DeprecatedUses',
  description: 'The deprecated operations that this key called. Empty if there are none.',
})

export const EXAMPLES = {
  used: [
    {
      operation: 'getPet',
      method: 'GET',
      path: '/v1/pets/{petId}',
      calls: 12n,
      firstCalled: '2026-11-20T09:15:00.000Z',
      lastCalled: '2026-12-01T17:30:00.000Z',
      sunset: '2030-12-05',
      successor: '/v1/pets?id={petId}',
      documentation: '/docs#get-pet',
    },
  ],
  unused: [],
}
