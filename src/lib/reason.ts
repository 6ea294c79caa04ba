import { errorCode } from './errors.ts'

const MAX_REASON = 300

/** The reason of a failure in one line for the log: the message of each error and of its cause. */
export function reasonOf(error: unknown): string {
  const messages: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    messages.push(cause.message || errorCode(cause) || cause.name)
  return messages.join(': ').slice(0, MAX_REASON)
}
