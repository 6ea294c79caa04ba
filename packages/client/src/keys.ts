import type { Connection } from './connection.ts'
import { KEY, type Key } from './kinds.ts'
import type { CallOptions } from './options.ts'
import { itemIn } from './responses.ts'
import { send } from './send.ts'

export interface Keys {
  /** The scopes, expiry and rate limit of this client's key, and which key replaced it. Beta: it may still change. */
  self(options?: CallOptions): Promise<Key>
}

export function createKeys(connection: Connection): Keys {
  return {
    self: async ({ signal } = {}) => itemIn(await send(connection, { method: 'GET', path: '/keys/self', signal }), KEY),
  }
}
