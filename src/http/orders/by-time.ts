import type { Static } from 'typebox'
import type { OrderPosition } from '../../domain/types/order.ts'
import { RequestError } from '../wire/errors.ts'
import { readCursor } from '../wire/pagination.ts'
import { readMicroseconds } from '../wire/time.ts'
import {
  type CountOrdersByPeriodQuery,
  type CountOrdersQuery,
  type ListOrdersQuery,
  MAX_BOUNDARIES,
} from './schemas.ts'

type ListQuery = Static<typeof ListOrdersQuery>
type CountQuery = Static<typeof CountOrdersQuery>
type PeriodsQuery = Static<typeof CountOrdersByPeriodQuery>

const ENDED = '`completed`, `cancelled` or `expired`'
const ONLY_OPEN =
  '`sort=expiring` needs `status=placed`, and cannot be combined with `petId`, `reference`, `from` or `to`.'
const ONLY_ENDED = `\`sort=closed\` needs a \`status\`, which is ${ENDED}, and cannot be combined with \`petId\` or \`reference\`.`
const ONLY_BY_END = '`from` and `to` say when orders ended: send them with `sort=closed`.'
const TIMES = `2 to ${MAX_BOUNDARIES} times, separated by commas, each `
export const NOT_OPEN = `\`from\` and \`to\` say when orders ended: they need a \`status\`, which is ${ENDED}.`

/** The part of a walk by times that a query asks for; undefined if it is a walk from the newest order to the oldest. */
export function readByTime({ sort, status, petId, reference, from, to, cursor }: ListQuery) {
  const isOfOne = petId !== undefined || reference !== undefined
  const hasTimes = from !== undefined || to !== undefined
  if (sort === 'expiring') {
    if (status !== 'placed' || isOfOne || hasTimes) throw new RequestError('invalid_parameter', ONLY_OPEN)
    return { walk: 'expiringOrders', status, after: positionOf(readCursor('expiringOrders', cursor, 3)) } as const
  }
  if (sort === 'closed') {
    if (status === undefined || status === 'placed' || isOfOne) throw new RequestError('invalid_parameter', ONLY_ENDED)
    const after = positionOf(readCursor('closedOrders', cursor, 3))
    return { walk: 'closedOrders', status, ...readTimes(from, to), after } as const
  }
  if (hasTimes) throw new RequestError('invalid_parameter', ONLY_BY_END)
  return undefined
}

/** Which orders are to be counted. */
export function readCounted({ status, from, to }: CountQuery) {
  const hasTimes = from !== undefined || to !== undefined
  if (hasTimes && (status === undefined || status === 'placed')) throw new RequestError('invalid_parameter', NOT_OPEN)
  return { status, ...readTimes(from, to) }
}

/** The periods in which orders are to be counted, and which orders. */
export function readPeriods({ status, boundaries: texts }: PeriodsQuery) {
  const boundaries = texts.map((text) => readMicroseconds('boundaries', text, TIMES))
  for (const [i, time] of boundaries.entries()) {
    const before = boundaries[i - 1]
    if (before !== undefined && time <= before)
      throw new RequestError('invalid_parameter', notAscending(texts[i], texts[i - 1]))
  }
  return { status, boundaries }
}

export function notAscending(time = '', before = '') {
  return `\`boundaries\` must be in ascending order: ${time} is not after ${before}.`
}

function readTimes(start: string | undefined, end: string | undefined) {
  const from = start === undefined ? undefined : readMicroseconds('from', start)
  const to = end === undefined ? undefined : readMicroseconds('to', end)
  if (from !== undefined && to !== undefined && from >= to)
    throw new RequestError('invalid_parameter', '`from` must be before `to`.')
  return { from, to }
}

function positionOf([time, id, petId]: bigint[] = []): OrderPosition | undefined {
  return time === undefined || id === undefined || petId === undefined ? undefined : { time, id, petId }
}
