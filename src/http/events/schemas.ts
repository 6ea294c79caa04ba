import { Type } from 'typebox'
import { EVENT_TYPES, type EventType } from '../../domain/types/event.ts'
import type { PetStatus } from '../../domain/types/pet.ts'
import { REQUEST_TIMES } from '../../lib/times.ts'
import { Cursor } from '../wire/pagination.ts'
import { BETA, Int64 } from '../wire/schemas.ts'
import { CURSOR, EVENT_ID, KEY_ID } from './examples.ts'

const MAX_WAIT_SECONDS = REQUEST_TIMES.longestWaitMs / 1_000
const MAX_TYPES = 8

export const Event = Type.Object(
  {
    specversion: Type.String({ description: 'The version of CloudEvents.', examples: ['1.0'] }),
    id: Type.String({
      description: 'Identifies the event. An event that comes again has the same id.',
      examples: [EVENT_ID],
    }),
    source: Type.String({
      description: 'The service that the event comes from; of a sandbox, with `#test` at its end.',
      examples: ['https://pets.example/v1'],
    }),
    type: Type.String({
      description: `What happened: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}. Later versions may add types: ignore those that you do not know.`,
      examples: ['order.placed'],
    }),
    subject: Type.String({ description: 'The pet, `pets/` and its id; `pets` for all of them.', examples: ['pets/1'] }),
    time: Type.String({
      format: 'date-time',
      description: 'When it happened.',
      examples: ['2026-11-16T09:30:00.123Z'],
    }),
    sequence: Type.Optional(
      Type.String({
        description:
          'Its place in the feed: 16 digits, one more than the event before. Absent in the history of a pet. After a restore from a backup, numbers of lost events are used again; `id`s never are.',
        examples: ['0000000000000042'],
      }),
    ),
    data: Type.Object(
      {
        pet: Type.Optional(Type.Ref('PetRecord')),
        order: Type.Optional(Type.Ref('Order')),
        changed: Type.Optional(
          Type.Array(Type.String(), {
            description: 'The fields of the pet that differ from before.',
            examples: [['status']],
          }),
        ),
        previous: Type.Optional(
          Type.Object(
            {
              name: Type.Optional(Type.String({ description: 'Its name before.', examples: ['Rex'] })),
              categoryId: Type.Optional(Int64({ description: 'Its category before.', examples: [7] })),
              status: Type.Optional(
                Type.Unsafe<PetStatus | null>({
                  type: ['string', 'null'],
                  enum: ['available', 'pending', 'sold', null],
                  description: 'Its status before; `null` if it had none.',
                  examples: ['available'],
                }),
              ),
            },
            {
              description:
                'What the fields in `changed` were before. Absent from a `pet.updated` event of an earlier version of the service.',
              ...BETA,
            },
          ),
        ),
        keyId: Type.Optional(
          Type.String({
            description: 'The API key of the client. Absent where the service itself or its operator acted.',
            examples: [KEY_ID],
          }),
        ),
        added: Type.Optional(Int64({ description: 'How many pets an import added.', examples: [1000] })),
        idRanges: Type.Optional(
          Type.Array(
            Type.Object({
              first: Int64({ description: 'The lowest id of the range.', examples: [1001] }),
              last: Int64({ description: 'The highest id of the range.', examples: [2000] }),
            }),
            {
              description:
                'The ids of the pets that an import added: each is in one of these ranges, which other pets may be in, too. Ascending, at most 100. Absent if an earlier version of the service has imported some of them.',
              examples: [[{ first: 1001, last: 2000 }]],
            },
          ),
        ),
      },
      { description: 'The pet after the change (of `pet.deleted` as it was last), and the order if one changed.' },
    ),
  },
  { $id: 'Event', description: 'One change of one pet: a CloudEvent 1.0.' },
)

export const Events = Type.Array(Type.Ref('Event'), {
  $id: 'Events',
  description: 'Events, in the order of `sort`.',
})

export const ListEventsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Maximum number of events returned.',
      examples: [100],
    }),
  ),
  sort: Type.Optional(
    Type.Unsafe<'oldest' | 'newest'>({
      type: 'string',
      enum: ['oldest', 'newest'],
      default: 'oldest',
      description:
        'The order of the events. `newest` starts with the newest event and leads back to the oldest that is kept; not together with `from` or `wait`. A cursor continues only the walk it comes from.',
      examples: ['newest'],
    }),
  ),
  from: Type.Optional(
    Type.String({
      default: 'oldest',
      description:
        'Where a walk without a cursor starts: at the oldest event that is kept (`oldest`), after the newest (`now`), or at the first event that happened at a time or later: RFC 3339, such as `2026-11-16T09:30:00Z`.',
      examples: ['now'],
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      default: 0,
      description:
        'For how many seconds to wait for an event if there is none. The response comes as soon as there is one. The requests of one key can take a quarter of the places to wait.',
      examples: [9],
    }),
  ),
  type: Type.Optional(
    Type.Array(Type.Unsafe<EventType>({ type: 'string', enum: [...EVENT_TYPES] }), {
      minItems: 1,
      maxItems: MAX_TYPES,
      description:
        'Returns only events of these types, comma-separated. A page may then be short or empty although there are more: follow its `Link`. One page looks at 1,000 events at most, with `sort=newest` and without `keyId` at 10,000.',
      examples: [['order.placed', 'order.expired']],
      style: 'form',
      explode: false,
    }),
  ),
  keyId: Type.Optional(
    Type.String({
      description:
        'Returns only changes that this key made. A page may then be short or empty although there are more: follow its `Link`. One page looks at 1,000 events at most.',
      examples: [KEY_ID],
      ...BETA,
    }),
  ),
  petId: Type.Optional(
    Int64({
      description:
        'Returns the history of this pet, by version, also if it was deleted; with `sort=newest`, its newest version first. Not together with `from`, `wait`, `type` or `keyId`.',
      examples: [1],
    }),
  ),
  cursor: Type.Optional(Type.Unsafe<string>({ ...Cursor, examples: [CURSOR] })),
})
