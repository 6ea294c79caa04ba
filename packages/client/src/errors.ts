import type { components } from './openapi.ts'

/**
 * What went wrong: a code of the service, or one of three that the client gives when it has no error of the service.
 *
 * - `connection_failed`: no answer arrived, also not when tried again. `cause` says why.
 * - `deadline_exceeded`: no answer arrived within `timeoutMs`.
 * - `unexpected_answer`: something answered that does not speak as the service does; a proxy, perhaps.
 *
 * A later version of the service may have codes that this version of the client does not list.
 */
export type ErrorCode =
  | components['schemas']['Error']['code']
  | 'connection_failed'
  | 'deadline_exceeded'
  | 'unexpected_answer'

export class PetstoreError extends Error {
  override name = 'PetstoreError'
  readonly code: ErrorCode
  /** The HTTP status; undefined if no answer arrived. */
  readonly status: number | undefined
  /** What the service's logs call this request; undefined if no answer arrived, or none of the service. */
  readonly requestId: string | undefined

  constructor(
    code: ErrorCode,
    message: string,
    about: { status?: number | undefined; requestId?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause })
    this.code = code
    this.status = about.status
    this.requestId = about.requestId
  }
}
