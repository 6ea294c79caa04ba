import { Type } from 'typebox'
import type { OrderStatus as Status } from '../../domain/types/order.ts'
import { Cursor } from '../wire/pagination.ts'
import { BETA, Int32, Int64, Moment, VisibleText } from '../wire/schemas.ts'
import { CURSOR, DAYS, KEY_IDS, ORDER_ID } from './examples.ts'

export const OrderStatus = Type.Unsafe<Status>({
  $id: 'OrderStatus',
  type: 'string',
  enum: ['placed', 'completed', 'cancelled', 'expired'] satisfies Status[],
  description: 'An order is `placed` until it is completed or cancelled, or expires.',
  examples: ['placed'],
})

export const DEFAULT_EXPIRES_IN = 900

const MAX_COUNT = 1_000
/** Each period costs as much as a count: together they must cost less than 10 ms of CPU. */
export const MAX_BOUNDARIES = 15

const petId = Int64({ description: 'The pet that is ordered.', examples: [1] })
const reference = VisibleText({
  minLength: 1,
  maxLength: 255,
  description:
    'Your own identifier, such as that of a basket: 1 to 255 characters (Unicode code points), at least one of them visible, none a control character. Several orders may share one.',
  examples: ['basket-4711'],
})

export const NewOrder = Type.Object(
  {
    petId,
    expiresIn: Type.Optional(
      Int32({
        minimum: 1,
        maximum: 2_592_000,
        default: DEFAULT_EXPIRES_IN,
        description: 'After how many seconds the order expires, unless it was completed or cancelled.',
        examples: [900],
      }),
    ),
    reference: Type.Optional(reference),
  },
  { $id: 'NewOrder', description: 'An order to place.' },
)

export const Order = Type.Object(
  {
    id: Type.String({ description: 'Identifies the order. Opaque and case-sensitive.', examples: [ORDER_ID] }),
    petId,
    status: Type.Unsafe<Status>(Type.Ref('OrderStatus')),
    placedAt: Moment('When it was placed.', '2026-11-16T09:30:00.123Z'),
    expiresAt: Moment('When it expires, if nothing ends it before.', '2026-11-16T09:45:00.123Z'),
    closedAt: Type.Optional(Moment('When it ended. Absent while it is `placed`.', '2026-11-16T09:40:00.456Z')),
    reference: Type.Optional(reference),
    placedBy: Type.Optional(
      Type.String({
        description: 'The id of the key that placed it. Absent for orders of versions that did not keep it.',
        examples: [KEY_IDS.placed],
      }),
    ),
    closedBy: Type.Optional(
      Type.String({
        description:
          'The id of the key that completed or cancelled it. Absent if it expired or the operator cancelled it.',
        examples: [KEY_IDS.closed],
      }),
    ),
  },
  {
    $id: 'Order',
    description: 'An order for one pet. While it is `placed`, it holds the pet, which is `pending`.',
  },
)

export const Orders = Type.Array(Type.Ref('Order'), {
  $id: 'Orders',
  description: 'Orders, in the order of `sort`.',
})

export const OrderCount = Type.Object(
  {
    count: Type.Integer({
      minimum: 0,
      maximum: MAX_COUNT,
      description: 'How many orders match, up to 1,000.',
      examples: [37],
    }),
    isMore: Type.Boolean({
      description: 'Whether counting stopped at 1,000: `count` then stands for 1,000 or more.',
      examples: [false],
    }),
  },
  { $id: 'OrderCount', description: 'How many orders there are.', ...BETA },
)

export const OrderCounts = Type.Object(
  {
    counts: Type.Array(Type.Ref('OrderCount'), {
      minItems: 1,
      maxItems: MAX_BOUNDARIES - 1,
      description: 'One count for each period, in the order of `boundaries`.',
    }),
  },
  { $id: 'OrderCounts', description: 'How many orders ended in each of some periods.', ...BETA },
)

const status = Type.Unsafe<Status>({
  ...OrderStatus,
  $id: undefined,
  description: 'Returns only orders with this status.',
  examples: ['placed'],
})

export const ListOrdersQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Maximum number of orders returned.',
      examples: [50],
    }),
  ),
  status: Type.Optional(status),
  sort: Type.Optional(
    Type.Unsafe<'newest' | 'expiring' | 'closed'>({
      type: 'string',
      enum: ['newest', 'expiring', 'closed'],
      default: 'newest',
      description:
        'The order of the orders: `newest` by when they were placed, newest first; `expiring`, with `status=placed`, by when they expire, soonest first; `closed`, with `status` `completed`, `cancelled` or `expired`, by when they ended, newest first. The last two go neither with `petId` nor with `reference`. A cursor continues only the walk it comes from.',
      examples: ['newest'],
      ...BETA,
    }),
  ),
  from: Type.Optional(
    Type.String({
      description:
        'Returns only orders that ended at this time or later: RFC 3339, such as `2026-11-16T00:00:00Z`. Only with `sort=closed`.',
      examples: ['2026-11-16T00:00:00Z'],
      ...BETA,
    }),
  ),
  to: Type.Optional(
    Type.String({
      description:
        'Returns only orders that ended before this time: RFC 3339, such as `2026-11-17T00:00:00Z`. Only with `sort=closed`.',
      examples: ['2026-11-17T00:00:00Z'],
      ...BETA,
    }),
  ),
  petId: Type.Optional(
    Int64({ description: 'Returns only orders for this pet. Not together with `reference`.', examples: [1] }),
  ),
  reference: Type.Optional(
    VisibleText({
      minLength: 1,
      maxLength: 255,
      description: 'Returns only orders with this reference. Not together with `petId`.',
      examples: ['basket-4711'],
    }),
  ),
  cursor: Type.Optional(Type.Unsafe<string>({ ...Cursor, examples: [CURSOR] })),
})

function notCountedBy(name: string) {
  return `Orders are counted by \`status\`, \`from\` and \`to\`, not by \`${name}\`.`
}

export const CountOrdersQuery = Type.Object(
  {
    status: Type.Optional(Type.Unsafe<Status>({ ...status, description: 'Counts only orders with this status.' })),
    from: Type.Optional(
      Type.String({
        description:
          'Counts only orders that ended at this time or later: RFC 3339, such as `2026-11-16T00:00:00Z`. Only with `status` `completed`, `cancelled` or `expired`.',
        examples: ['2026-11-16T00:00:00Z'],
      }),
    ),
    to: Type.Optional(
      Type.String({
        description:
          'Counts only orders that ended before this time: RFC 3339, such as `2026-11-17T00:00:00Z`. Only with `status` `completed`, `cancelled` or `expired`.',
        examples: ['2026-11-17T00:00:00Z'],
      }),
    ),
  },
  // As for pets: the list takes these.
  { rejected: { petId: notCountedBy('petId'), reference: notCountedBy('reference') } },
)

const BY_BOUNDARIES = 'The counts of periods take no `from` and no `to`: send all times in `boundaries`.'

export const CountOrdersByPeriodQuery = Type.Object(
  {
    status: Type.Unsafe<Exclude<Status, 'placed'>>({
      type: 'string',
      enum: ['completed', 'cancelled', 'expired'] satisfies Status[],
      description: 'Counts only orders that ended in this way.',
      examples: ['completed'],
    }),
    boundaries: Type.Array(Type.String(), {
      minItems: 2,
      maxItems: MAX_BOUNDARIES,
      description:
        'Where the periods begin and end: 2 to 15 times, comma-separated, in ascending order, each RFC 3339, such as `2026-11-16T00:00:00Z`. Each period goes from one of them to before the next. They need not be equally long: the days of a time zone have 23 or 25 hours when its clocks change.',
      examples: [DAYS],
      style: 'form',
      explode: false,
    }),
  },
  // The single count takes these. A client that gets the counts of other times would not notice.
  { rejected: { from: BY_BOUNDARIES, to: BY_BOUNDARIES } },
)
