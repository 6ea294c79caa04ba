import { errorCode } from './errors.ts'

const MAX_REASON = 300

/** Why something failed, in a line for the log: each error, and what caused it. */
export function reasonOf(error: unknown): string {
  const messages: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    messages.push(cause.message || errorCode(cause) || cause.name)
  return messages.join(': ').slice(0, MAX_REASON)
}
