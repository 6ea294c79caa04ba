import type { Connection } from './connection.ts'
import { isObject, type Key } from './json.ts'
import type { CallOptions } from './pets.ts'
import { bodyOf, send, unexpected } from './send.ts'

export interface Keys {
  /** The scopes, expiry and rate limit of this client's key, and which key replaced it. Beta: it may still change. */
  self(options?: CallOptions): Promise<Key>
}

export function createKeys(connection: Connection): Keys {
  return {
    self: async ({ signal } = {}) => {
      const response = await send(connection, { method: 'GET', path: '/keys/self', signal })
      const key = bodyOf(response)
      if (!isObject(key) || !Array.isArray(key['scopes'])) throw unexpected(response, 'The response is not a key.')
      return key as Key
    },
  }
}
