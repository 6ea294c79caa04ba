import type { Caller } from '../lib/batch.ts'
import type { Context } from './context.ts'
import type { Principal } from './principal.ts'

/** Records that this key used a deprecated operation; never waits. */
export function recordDeprecatedCall(
  { deprecatedCalls }: Pick<Context, 'deprecatedCalls'>,
  { keyId }: Principal,
  operation: string,
) {
  deprecatedCalls.count(operation, keyId)
}

/** The deprecated operations that this key has used. Requests of the last few seconds may be missing. */
export function listDeprecatedCalls(
  { deprecatedCalls }: Pick<Context, 'deprecatedCalls'>,
  { keyId }: Principal,
  caller?: Caller,
) {
  return deprecatedCalls.find(keyId, caller)
}
