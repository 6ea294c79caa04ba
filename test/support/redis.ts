import { existsSync } from 'node:fs'
import { after } from 'node:test'
import { REDIS_SERVER, RedisServer } from '../../faults/rig/redis.ts'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'

/** Why a test that needs a Redis can't run here, if it can't; CI has one. */
export const noRedis = existsSync(REDIS_SERVER) ? false : 'install redis-server (Debian: apt-get install redis-server)'

/** A Redis of the calling test file's own; gone when the file has run. */
export async function startRedis() {
  const server = new RedisServer(await freePort('127.0.0.1', 0))
  after(() => server.kill())
  await server.start()
  return server
}
