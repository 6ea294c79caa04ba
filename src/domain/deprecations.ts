import type { Caller } from '../lib/batch.ts'
import type { Context } from './context.ts'
import type { Principal } from './principal.ts'

/** Notes that this key has called an operation that is to go away; never waits. */
export function recordDeprecatedCall(
  { deprecatedCalls }: Pick<Context, 'deprecatedCalls'>,
  { keyId }: Principal,
  operation: string,
) {
  deprecatedCalls.count(operation, keyId)
}

/** What this key has called of what is to go away: all but the calls of the last few seconds. */
export function listDeprecatedCalls(
  { deprecatedCalls }: Pick<Context, 'deprecatedCalls'>,
  { keyId }: Principal,
  caller?: Caller,
) {
  return deprecatedCalls.find(keyId, caller)
}
