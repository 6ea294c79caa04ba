import { REQUEST_DEADLINE_MS } from './database.ts'
import { DatabaseBusy, DatabaseUnavailable, ValueRejected } from './failures.ts'

/** How requests share statements, whatever they ask for. */
export const BATCHES = {
  isOwnFault: (error: unknown) => error instanceof ValueRejected,
  timeoutMs: REQUEST_DEADLINE_MS,
  timeoutError: (wasSent: boolean) =>
    wasSent
      ? new DatabaseUnavailable('the database did not respond in time')
      : new DatabaseBusy('the statements before this one took too long'),
}

/** An array as PostgreSQL writes it, of values that need no quotes. The driver would look for characters to escape in each. */
export function arrayOf(values: (bigint | number | string | null)[]) {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}
