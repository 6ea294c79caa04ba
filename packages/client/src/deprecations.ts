import type { Connection } from './connection.ts'
import { DEPRECATED_USE } from './kinds.ts'
import type { CallOptions } from './options.ts'
import { itemsIn } from './responses.ts'
import { send } from './send.ts'

export async function listDeprecations(connection: Connection, { signal }: CallOptions = {}) {
  return itemsIn(await send(connection, { method: 'GET', path: '/deprecations', signal }), DEPRECATED_USE)
}
