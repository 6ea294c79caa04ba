import type { Connection } from './connection.ts'
import { type DeprecatedUse, isObject } from './json.ts'
import type { CallOptions } from './pets.ts'
import { bodyOf, send, unexpected } from './send.ts'

export async function listDeprecations(connection: Connection, { signal }: CallOptions = {}) {
  const response = await send(connection, { method: 'GET', path: '/deprecations', signal })
  const uses = bodyOf(response)
  if (!Array.isArray(uses) || !uses.every(isDeprecatedUse))
    throw unexpected(response, 'The response is not a list of deprecated operations.')
  return uses
}

function isDeprecatedUse(value: unknown): value is DeprecatedUse {
  return isObject(value) && typeof value['operation'] === 'string' && typeof value['calls'] === 'bigint'
}
