import { isObject, type Key } from './json.ts'
import type { CallOptions } from './pets.ts'
import { bodyOf, type Connection, send, unexpected } from './send.ts'

export interface Keys {
  /** What the key of this client may do, until when, and by which one it was replaced. Beta: it may still change. */
  self(options?: CallOptions): Promise<Key>
}

export function createKeys(connection: Connection): Keys {
  return {
    self: async ({ signal } = {}) => {
      const answer = await send(connection, { method: 'GET', path: '/keys/self', signal })
      const key = bodyOf(answer)
      if (!isObject(key) || !Array.isArray(key['scopes'])) throw unexpected(answer, 'The answer is not a key.')
      return key as Key
    },
  }
}
