import { CURSOR } from '../../src/http/events/examples.ts'
import type { Call } from './app.ts'

/** How to provoke each error that only events have, as the document words it. */
export function eventErrors(call: Call) {
  return {
    listEvents: {
      '400 invalid_parameter': () => call(`/v1/events?from=now&cursor=${CURSOR}`),
      '400 invalid_cursor': () => call('/v1/events?cursor=x'),
      // Of another store: it has the number of an event that is not there.
      '410 cursor_expired': () => call(`/v1/events?cursor=${CURSOR}`),
    },
  }
}
