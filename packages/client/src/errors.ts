import type { KnownErrorCode } from './openapi.ts'

/**
 * What went wrong: a code of the service, or one of three that the client uses when it has no error from the service.
 *
 * - `connection_failed`: no response arrived, even after retries. `cause` says why.
 * - `deadline_exceeded`: no response arrived in time.
 * - `unexpected_answer`: the response is not one of the service; a proxy may have sent it.
 *
 * A later version of the service may return codes that this version of the client does not list, so any string is allowed.
 */
export type ErrorCode =
  | KnownErrorCode
  | 'connection_failed'
  | 'deadline_exceeded'
  | 'unexpected_answer'
  // Keeps the codes above in the suggestions of editors, which `string` alone would not.
  | (string & {})

interface PetstoreErrorDetails {
  status?: number | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  currentVersion?: bigint | undefined
  cause?: unknown
}

export class PetstoreError extends Error {
  override name = 'PetstoreError'
  readonly code: ErrorCode
  /** The HTTP status; undefined if no response arrived. */
  readonly status: number | undefined
  /** Identifies this request in the logs of the service; undefined if the service sent no response. */
  readonly requestId: string | undefined
  /** How many seconds to wait before trying again, where the service says so. */
  readonly retryAfter: number | undefined
  /** The version that the pet or the category has now, if the code is `version_mismatch`. */
  readonly currentVersion: bigint | undefined

  constructor(code: ErrorCode, message: string, about: PetstoreErrorDetails = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause })
    this.code = code
    this.status = about.status
    this.requestId = about.requestId
    this.retryAfter = about.retryAfter
    this.currentVersion = about.currentVersion
  }
}
