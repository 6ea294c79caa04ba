import {
  DatabaseBusy,
  DatabaseUnavailable,
  OutcomeUnknown,
  RowBusy,
  SchemaOutdated,
} from '../storage/postgres/failures.ts'

export type DomainErrorCode =
  | 'invalid_credentials'
  | 'expired_credentials'
  | 'revoked_credentials'
  | 'insufficient_scope'
  | 'pet_not_found'
  | 'order_not_found'
  | 'webhook_not_found'
  | 'pet_not_available'
  | 'pet_reserved'
  | 'order_closed'
  | 'too_many_open_orders'
  | 'too_many_webhooks'
  | 'version_mismatch'
  | 'version_required'
  | 'cursor_expired'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'unavailable'
  | 'overloaded'
  | 'webhooks_not_configured'

/** An error that the caller can act on. Any other error is a fault of the service. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly code: DomainErrorCode
  /** The version that the pet has, where the client named another. */
  readonly version: bigint | undefined

  constructor(code: DomainErrorCode, message: string, options: ErrorOptions & { version?: bigint } = {}) {
    super(message, options)
    this.code = code
    this.version = options.version
  }
}

export const OVERLOADED_MESSAGE = 'The service has more requests than it can handle right now. Try again in a moment.'

/** Translates errors of storage; returns others unchanged. */
export function toDomainError(error: unknown): unknown {
  if (error instanceof RowBusy)
    return new DomainError(
      'overloaded',
      'Other requests are changing this pet. Nothing was done; try again in a moment.',
      {
        cause: error,
      },
    )
  if (error instanceof DatabaseBusy) return new DomainError('overloaded', OVERLOADED_MESSAGE, { cause: error })
  if (error instanceof OutcomeUnknown)
    return new DomainError(
      'unavailable',
      'The connection to the database was lost during the request, so the outcome is unknown. Check whether it took effect before retrying; a request with an Idempotency-Key can be repeated safely.',
      { cause: error.cause },
    )
  if (error instanceof SchemaOutdated)
    return new DomainError('unavailable', 'The service is being updated. Try again in a moment.', {
      cause: error.cause,
    })
  if (!(error instanceof DatabaseUnavailable)) return error
  return new DomainError('unavailable', 'The service cannot use its database right now. Try again in a moment.', {
    cause: error.cause,
  })
}
