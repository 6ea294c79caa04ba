import { REQUEST_TIMES } from '../../lib/times.ts'
import { DatabaseBusy, DatabaseUnavailable, OutcomeUnknown, ValueRejected } from './failures.ts'

/** What all batches have in common. */
export const BATCHES = {
  isItemFault: (error: unknown) => error instanceof ValueRejected,
  timeoutMs: REQUEST_TIMES.requestMs,
  timeoutError: (wasSent: boolean) =>
    wasSent
      ? new DatabaseUnavailable('the database did not respond in time')
      : new DatabaseBusy('the statements before this one took too long'),
}

/** For statements that must not be sent again when their outcome is unknown. */
export const WRITE_ONCE_BATCHES = {
  ...BATCHES,
  timeoutError: (wasSent: boolean) =>
    wasSent ? new OutcomeUnknown('the database did not respond in time') : BATCHES.timeoutError(false),
}

/** Formats an array literal, of values that need no quotes. The driver would look for characters to escape in each. */
export function pgArrayLiteral(values: (bigint | number | string | null)[]) {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}
