import type { Connection } from './connection.ts'
import { STATUS } from './kinds.ts'
import type { CallOptions } from './options.ts'
import { itemIn } from './responses.ts'
import { send } from './send.ts'

export async function getStatus(connection: Connection, { signal }: CallOptions = {}) {
  return itemIn(await send(connection, { method: 'GET', path: '/status', signal }), STATUS)
}
