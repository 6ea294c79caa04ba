import { ERRORS, type ErrorEntry } from '../wire/error-codes.ts'
import type { ErrorBody } from '../wire/errors.ts'
import { fieldMessages } from '../wire/messages.ts'
import { aboutIdempotency, HAPPENED, HTTP, type Medium, someOf, versionsOf } from '../wire/wording.ts'

const OTHER_PAGE =
  'Send `nextCursor` of the previous page with the other arguments of that page, or no `cursor` to begin again.'

/** Tools have neither headers nor a body, and write 64-bit integers as text. */
const TOOL: Omit<Medium, 'failure'> = {
  // These describe the message that contains the call.
  body: HTTP.body,
  syntax: HTTP.syntax,
  ...aboutIdempotency('`idempotencyKey`'),
  fields: ({ errors }) => fieldMessages(errors, 'a 64-bit integer as a string of digits'),
  'no field': ({ known }) => `Send ${someOf(known)}.`,
  'malformed idempotency key': () => '`idempotencyKey` must have 1 to 255 printable ASCII characters.',
  'idempotency key reused': () =>
    'This `idempotencyKey` was used with other arguments. Send those again, or these with a new key.',
  'unknown cursor': () => `${HAPPENED['unknown cursor']} ${OTHER_PAGE}`,
  'opposite cursor': () => `${HAPPENED['opposite cursor']} ${OTHER_PAGE}`,
  'cursor of another search': () => `${HAPPENED['cursor of another search']} ${OTHER_PAGE}`,
  'events gone': () =>
    `${HAPPENED['events gone']} Call again with \`from\` "now" and no \`cursor\`, then read all pets again with find_pets.`,
  'store restored': () => `${HAPPENED['store restored']} Call again without \`cursor\`.`,
  'other version': (fact) =>
    `${versionsOf(fact)} Read the pet again with find_pets, decide again, and send the \`version\` that you have read.`,
}

export function toolMedium(requestId: string): Medium {
  const failure = () => `${HAPPENED.failure} The failure is logged under the request id ${requestId}: report it.`
  return { ...TOOL, failure }
}

/** The error that a model reads. HTTP clients read from a header when to try again. */
export function toolError(body: ErrorBody) {
  const { retryAfter }: ErrorEntry = ERRORS[body.code]
  return { ...body, ...(retryAfter !== undefined && { retryAfter }) }
}
