import { after } from 'node:test'
import { REDIS_SERVER, RedisServer } from '../../faults/rig/redis.ts'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { skipWithout } from './installed.ts'

export const noRedis = skipWithout(REDIS_SERVER, 'redis-server')

/** A Redis of the calling test file's own; gone when the file has run. */
export async function startRedis() {
  const server = new RedisServer(await freePort('127.0.0.1', 0))
  after(() => server.kill())
  await server.start()
  return server
}
