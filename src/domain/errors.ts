import {
  DatabaseBusy,
  DatabaseUnavailable,
  OutcomeUnknown,
  RowBusy,
  SchemaOutdated,
} from '../storage/postgres/failures.ts'

export type DomainErrorCode =
  | 'invalid_parameter'
  | 'invalid_credentials'
  | 'expired_credentials'
  | 'revoked_credentials'
  | 'insufficient_scope'
  | 'pet_not_found'
  | 'order_not_found'
  | 'webhook_not_found'
  | 'category_not_found'
  | 'pet_not_available'
  | 'pet_reserved'
  | 'order_closed'
  | 'too_many_open_orders'
  | 'too_many_webhooks'
  | 'nothing_to_retry'
  | 'too_many_categories'
  | 'version_mismatch'
  | 'version_required'
  | 'cursor_expired'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'unavailable'
  | 'overloaded'
  | 'webhooks_not_configured'

/** What has happened, where what to say of it depends on how the client called. */
export type DomainFact =
  /** `expected`: the versions that the request is for, if it names any. */
  | { kind: 'other version'; of: 'pet' | 'category'; id: bigint; version: bigint; expected: readonly bigint[] }
  | { kind: 'events gone' }
  | { kind: 'store restored' }
  | { kind: 'idempotency key in use' }
  | { kind: 'idempotency key reused' }
  | { kind: 'outcome unknown' }

/** An error that the caller can act on. Any other error is a fault of the service. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly code: DomainErrorCode
  readonly fact: DomainFact | undefined

  /** `reason` is a sentence if every client reads the same one. */
  constructor(code: DomainErrorCode, reason: string | DomainFact, options?: ErrorOptions) {
    super(typeof reason === 'string' ? reason : reason.kind, options)
    this.code = code
    this.fact = typeof reason === 'string' ? undefined : reason
  }
}

export const OVERLOADED_MESSAGE = 'The service has more requests than it can handle right now. Try again in a moment.'

/** Translates errors of storage; returns others unchanged. */
export function toDomainError(error: unknown): unknown {
  if (error instanceof RowBusy)
    return new DomainError(
      'overloaded',
      'Other requests are changing the same pet or category. Nothing was done; try again in a moment.',
      {
        cause: error,
      },
    )
  if (error instanceof DatabaseBusy) return new DomainError('overloaded', OVERLOADED_MESSAGE, { cause: error })
  if (error instanceof OutcomeUnknown)
    return new DomainError('unavailable', { kind: 'outcome unknown' }, { cause: error.cause })
  if (error instanceof SchemaOutdated)
    return new DomainError('unavailable', 'The service is being updated. Try again in a moment.', {
      cause: error.cause,
    })
  if (!(error instanceof DatabaseUnavailable)) return error
  return new DomainError('unavailable', 'The service cannot use its database right now. Try again in a moment.', {
    cause: error.cause,
  })
}
