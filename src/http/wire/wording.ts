import type { ErrorObject } from 'ajv'
import type { DomainFact } from '../../domain/errors.ts'
import { fieldMessages } from './messages.ts'

/** What is wrong with the form of a request, where media put it into different words. */
export type RequestFact =
  /** `fault`: what the body is or does, as 'is not valid UTF-8'. */
  | { kind: 'body'; fault: string }
  /** Where the body stops being JSON. */
  | { kind: 'syntax'; line: number; column: number; isCutOff: boolean }
  | { kind: 'fields'; errors: ErrorObject[] }
  | { kind: 'no field'; known: string[] }
  | { kind: 'unknown cursor' }
  | { kind: 'opposite cursor' }
  | { kind: 'cursor of another search' }
  | { kind: 'malformed idempotency key' }
  | { kind: 'API key as idempotency key' }

type Fact = RequestFact | DomainFact | { kind: 'failure' }

/**
 * How a medium says each fact: a response here, tools in mcp/errors.ts, lines of an import in wire/lines.ts. A fact that a response or a
 * tool has no words for does not compile.
 */
export type Medium = { [Kind in Fact['kind']]: (fact: Extract<Fact, { kind: Kind }>) => string }

/** What has happened. What to do about it follows, and depends on the medium. */
export const HAPPENED = {
  'unknown cursor': 'The `cursor` was not issued by this service.',
  'opposite cursor': 'The `cursor` continues a walk in the opposite direction.',
  'cursor of another search': 'The `cursor` continues a search for another `name`.',
  'events gone': 'The events after this cursor are no longer in the feed: they are too old, or the store was restored.',
  'store restored': 'The store was restored after this cursor was issued.',
  failure: 'The service failed unexpectedly.',
}

// A message repeats no more of a long list.
const MAX_NAMED = 3

/** The words of a response. */
export const HTTP: Medium = {
  ...aboutBody('The body', ({ line, column }) => `line ${line}, column ${column}`),
  ...aboutIdempotency('Idempotency-Key'),
  fields: ({ errors }) => fieldMessages(errors),
  'malformed idempotency key': () =>
    'Send one Idempotency-Key header with 1 to 255 printable ASCII characters, bare or as a quoted string.',
  'idempotency key reused': () =>
    'This Idempotency-Key was used for a different body. Send that body again, or this one with a new key.',
  'unknown cursor': () => `${HAPPENED['unknown cursor']} Take it from the Link header of the previous page.`,
  'opposite cursor': () =>
    `${HAPPENED['opposite cursor']} Send it with the \`sort\` of the page that it was taken from.`,
  'cursor of another search': () =>
    `${HAPPENED['cursor of another search']} Send it with the parameters of the page that it was taken from.`,
  'events gone': () => `${HAPPENED['events gone']} Get a new cursor with \`from=now\`, then read all pets again.`,
  'store restored': () =>
    `${HAPPENED['store restored']} Start again with the newest event: send the request without \`cursor\`.`,
  'other version': (fact) =>
    fact.expected.length > 0
      ? `${versionsOf(fact)} Read the ${fact.of} again, and send the version that you have read in If-Match.`
      : `${versionsOf(fact)} Send If-Match: "${fact.version}", or no condition.`,
  failure: () => `${HAPPENED.failure} The failure is logged under the Request-Id of this response.`,
}

export function say(fact: Fact, medium = HTTP) {
  // TypeScript does not see that both are of one kind.
  return (medium[fact.kind] as (one: Fact) => string)(fact)
}

/** Sentences about a body as a whole, by what the medium calls it, and a place in it. */
export function aboutBody(name: string, placeOf: (fact: { line: number; column: number }) => string) {
  return {
    body: ({ fault }) => `${name} ${fault}.`,
    syntax: ({ isCutOff, ...place }) =>
      `${name} is not valid JSON: ${isCutOff ? `it ends too early (${placeOf(place)})` : `see ${placeOf(place)}`}.`,
    'no field': ({ known }) => `${name} must have ${someOf(known)}.`,
  } satisfies Partial<Medium>
}

/** Sentences about idempotency keys, by what the medium calls them. */
export function aboutIdempotency(name: string) {
  return {
    'API key as idempotency key': () =>
      `${name} looks like an API key. Send a random value, such as a UUID; and treat that API key as leaked: ask the operator to rotate it.`,
    'idempotency key in use': () =>
      `Another request with this ${name} is still running. Try again in a moment, with the same key.`,
    'outcome unknown': () =>
      `The connection to the database was lost during the request, so the outcome is unknown. Check whether it took effect before retrying; a request with an ${name} can be repeated safely.`,
  } satisfies Partial<Medium>
}

export function someOf(fields: string[]) {
  return `at least one of ${fields.map((field) => `\`${field}\``).join(', ')}`
}

export function versionsOf({ of, id, version, expected }: Extract<Fact, { kind: 'other version' }>) {
  return expected.length > 0
    ? `The ${of} ${id} has version ${version}; the request is for version ${expected.slice(0, MAX_NAMED).join(' or ')}.`
    : `The ${of} ${id} has version ${version}, and the condition of the request matches no version.`
}
