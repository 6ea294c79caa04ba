import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createDatabase } from '../support/database.ts'
import { petstore } from '../support/process.ts'
import { DatabaseProxy } from '../support/proxy.ts'

const { url } = await createDatabase()

function changed(change: (address: URL) => void) {
  const address = new URL(url)
  change(address)
  return address.href
}

const withParameter = (name: string, value: string) => changed(({ searchParams }) => searchParams.set(name, value))

/** A server that trusts every local connection has no wrong passwords. */
async function trustsAll() {
  const client = new pg.Client(WRONG_PASSWORD)
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

const WRONG_PASSWORD = changed((to) => (to.password = 'x'))
const skipped = (await trustsAll()) ? ['a wrong password'] : []

// What an operator reads, where the driver and the system have a few words of their own.
const failures: [what: string, args: string[], env: NodeJS.ProcessEnv, sentence: string][] = [
  [
    'a HOST of another machine',
    ['serve'],
    { HOST: '192.0.2.1' },
    '192.0.2.1 is not an address of this machine. Set HOST',
  ],
  ['an ADMIN_HOST of another machine', ['serve'], { ADMIN_HOST: '192.0.2.1', ADMIN_PORT: '9' }, 'Set HOST (ADMIN_HOST'],
  ['a wrong password', ['migrate'], { DATABASE_URL: WRONG_PASSWORD }, 'rejected the user or password'],
  [
    'a database that does not exist',
    ['migrate'],
    { DATABASE_URL: changed((to) => (to.pathname = '/nowhere')) },
    'does not exist. Create it first.',
  ],
  ['nothing that answers', ['migrate'], { DATABASE_URL: changed((to) => (to.port = '1')) }, 'Is it running there?'],
  [
    'a server without TLS',
    ['migrate'],
    { DATABASE_URL: withParameter('sslmode', 'verify-full') },
    'PostgreSQL does not offer TLS',
  ],
  [
    'a certificate file that does not exist',
    ['migrate'],
    { DATABASE_URL: withParameter('sslrootcert', '/nowhere/ca.crt') },
    'There is no file /nowhere/ca.crt.',
  ],
]

for (const [what, args, env, sentence] of failures) {
  test(`${what} is reported in a sentence`, { skip: skipped.includes(what) }, async () => {
    const { code, stderr } = await petstore(args, {
      DATABASE_URL: url,
      PORT: '0',
      ADMIN_PORT: '0',
      DRAIN_DELAY: '0',
      ...env,
    })
    assert.equal(code, 1)
    assert.ok(stderr.startsWith('petstore: ') && stderr.includes(sentence), stderr)
    assert.equal(stderr.trimEnd().split('\n').length, 1)
  })
}

test('a command waits for a database that is slow to accept a connection', async () => {
  await using proxy = await DatabaseProxy.start(url)
  proxy.connectDelayMs = 1_500
  const { code, stdout, stderr } = await petstore(['migrate', '--check'], { DATABASE_URL: proxy.url })
  assert.equal(code, 0, stderr)
  assert.equal(stdout, 'The database is at this version.\n')
})
