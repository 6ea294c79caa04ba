import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearTextWarnings } from '../../src/lib/clear-text.ts'

const LOCAL = 'postgres://petstore:secret@localhost:5432/petstore'
const REMOTE = 'postgres://petstore:secret@db.example:5432/petstore'

function warningsOf(databaseUrl: string, redisUrl?: string) {
  return clearTextWarnings({ stores: [{ address: 'live', databaseUrl }], redisUrl })
}

const QUIET = [
  LOCAL,
  'postgres://petstore:secret@127.0.0.1:5432/petstore',
  'postgres://petstore:secret@127.1.2.3/petstore',
  'postgres://petstore:secret@[::1]:5432/petstore',
  'postgres://petstore:secret@%2Fvar%2Frun%2Fpostgresql/petstore',
  'postgres:///petstore?host=/var/run/postgresql',
  'postgres:///petstore',
  `${REMOTE}?sslmode=verify-full`,
  `${REMOTE}?sslmode=require`,
  `${REMOTE}?sslmode=no-verify`,
  `${REMOTE}?ssl=true`,
  `${REMOTE}?sslrootcert=/etc/petstore/ca.crt`,
]
for (const databaseUrl of QUIET)
  test(`no word about ${databaseUrl}`, () => {
    assert.deepEqual(warningsOf(databaseUrl), [])
  })

const WARNED = [
  REMOTE,
  `${REMOTE}?sslmode=disable`,
  `${REMOTE}?sslmode=prefer`,
  `${REMOTE}?sslmode=disable&sslrootcert=/etc/petstore/ca.crt`,
  `${REMOTE}?ssl=false`,
  'postgres://petstore:secret@localhost.example/petstore',
  'postgres://petstore:secret@[fd00::1]/petstore',
  `${LOCAL}?host=db.example`,
]
for (const databaseUrl of WARNED)
  test(`a warning about ${databaseUrl}`, () => {
    const [warning = '', ...rest] = warningsOf(databaseUrl)
    assert.match(warning, /^DATABASE_URL .*sslmode=verify-full/)
    assert.doesNotMatch(warning, /secret|db\.example/)
    assert.deepEqual(rest, [])
  })

test('Redis on another host without TLS is warned about, and nothing else of Redis', () => {
  const warningsOfRedis = (url: string) => warningsOf(LOCAL, url)
  const [warning = ''] = warningsOfRedis('redis://:secret@cache.example:6379')
  assert.match(warning, /^REDIS_URL .*rediss:\/\//)
  assert.doesNotMatch(warning, /secret|cache\.example/)
  for (const url of ['rediss://:secret@cache.example:6379', 'redis://127.0.0.1:6379', 'redis://[::1]'])
    assert.deepEqual(warningsOfRedis(url), [])
})

test('both are warned about', () => {
  assert.equal(warningsOf(REMOTE, 'redis://10.0.0.9').length, 2)
})

test('the database of the sandbox is warned about by the name of its own variable', () => {
  const stores = [
    { address: 'live', databaseUrl: LOCAL },
    { address: 'test', databaseUrl: REMOTE },
  ] as const
  const [warning = '', ...rest] = clearTextWarnings({ stores, redisUrl: undefined })
  assert.match(warning, /^SANDBOX_DATABASE_URL /)
  assert.deepEqual(rest, [])
})
