import { type Expiry, tryExpiry } from './expiry.ts'
import type { Stream } from './generators/streams.ts'
import { type Session, tryRequest, tryStream } from './properties.ts'
import { type Race, tryRace } from './race.ts'
import type { Request } from './request.ts'

/** One thing to try: a request by itself, the bytes of a whole connection, changes at the same time, or an order that expires. */
export type Case = { request: Request } | { stream: Stream } | { race: Race } | { expiry: Expiry }

export async function tryCase(session: Session, given: Case) {
  if ('request' in given) return tryRequest(session, given.request)
  if ('stream' in given) return tryStream(session, given.stream)
  return 'race' in given ? tryRace(session, given.race) : tryExpiry(session, given.expiry)
}
