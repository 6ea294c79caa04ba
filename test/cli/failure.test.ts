import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionSettings } from '../../src/storage/postgres/connection.ts'
import { createDatabase } from '../support/database.ts'
import { petstore, petstoreProcess } from '../support/process.ts'
import { DatabaseProxy } from '../support/proxy.ts'

const { url } = await createDatabase()

function changed(change: (address: URL) => void) {
  const address = new URL(url)
  change(address)
  return address.href
}

const withParameter = (name: string, value: string) => changed(({ searchParams }) => searchParams.set(name, value))

// What an operator reads, where the driver and the system have a few words of their own.
const failures: [what: string, args: string[], env: NodeJS.ProcessEnv, sentence: string][] = [
  [
    'a HOST of another machine',
    ['serve'],
    { HOST: '192.0.2.1' },
    '192.0.2.1 is not an address of this machine. Set HOST',
  ],
  ['an ADMIN_HOST of another machine', ['serve'], { ADMIN_HOST: '192.0.2.1', ADMIN_PORT: '9' }, 'Set HOST (ADMIN_HOST'],
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
    'one port for requests and metrics',
    ['serve'],
    { PORT: '18080', ADMIN_PORT: '18080' },
    'PORT and ADMIN_PORT are both 18080, but metrics need a port of their own. Set ADMIN_PORT to another one,',
  ],
  [
    'one port on all addresses',
    ['serve'],
    { PORT: '18080', ADMIN_PORT: '18080', HOST: '0.0.0.0', WORKERS: '2' },
    'PORT and ADMIN_PORT are both 18080',
  ],
  [
    'one port of localhost',
    ['serve'],
    { PORT: '18080', ADMIN_PORT: '18080', HOST: 'localhost', ADMIN_HOST: '127.0.0.1' },
    'PORT and ADMIN_PORT are both 18080',
  ],
  [
    'a certificate file that does not exist',
    ['migrate'],
    { DATABASE_URL: withParameter('sslrootcert', '/nowhere/ca.crt') },
    'There is no file /nowhere/ca.crt.',
  ],
  [
    'a socket that does not exist',
    ['migrate'],
    { DATABASE_URL: 'postgres://u@x/d?host=/nowhere' },
    'PostgreSQL does not listen on the socket /nowhere/.s.PGSQL.5432. Is it running,',
  ],
]

for (const [what, args, env, sentence] of failures) {
  test(`${what} is reported in a sentence`, async () => {
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

test('an option without its value is reported in one sentence, also if what follows begins with a dash', async () => {
  const args = ['keys', 'limit', 'key_x', '--open-orders', '-1']
  const { stderr } = await petstore(args, { DATABASE_URL: url })
  assert.match(
    stderr,
    /^petstore: Option '--open-orders' needs a value\. One that begins with a dash is written --open-orders=VALUE\.\nRun [^\n]+\n$/,
  )
})

test('a command waits for a database that is slow to accept a connection', async () => {
  await using proxy = await DatabaseProxy.start(url)
  proxy.connectDelayMs = 1_500
  const { code, stdout, stderr } = await petstore(['migrate', '--check'], { DATABASE_URL: proxy.url })
  assert.equal(code, 0, stderr)
  assert.equal(stdout, 'The database is at this version.\n')
})

test('the driver prints no lines of its own, which would be between those of the log', async () => {
  const { code, stderr } = await petstoreProcess(['migrate'], { DATABASE_URL: withParameter('sslmode', 'require') })
  assert.equal(code, 1)
  assert.match(stderr, /^petstore: PostgreSQL does not offer TLS[^\n]*\n$/)
})

test('each sslmode that means verify-full is written so, and the rest of the URL stays', () => {
  const sent = (query: string) => connectionSettings(`postgres://u:p@h/d${query}`).connectionString.slice(18)
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    assert.equal(sent(`?sslmode=${mode}`), '?sslmode=verify-full')
    assert.equal(sent(`?a=b&sslmode=${mode}&c=%20d`), '?a=b&sslmode=verify-full&c=%20d')
  }
  for (const query of ['', '?sslmode=disable', '?sslmode=no-verify', '?sslmode=require&uselibpqcompat=true'])
    assert.equal(sent(query), query)
})

test('a password that is not escaped is hinted at, and never repeated', async () => {
  for (const password of ['hunter#2', '#hunter', '12#hunter', 'hunter/2', '12/hunter', 'hunter?2', 'h@nter#2']) {
    const { code, stderr } = await petstore(['migrate'], { DATABASE_URL: `postgres://me:${password}@127.0.0.1:1/pets` })
    assert.equal(code, 1)
    assert.match(
      stderr,
      /DATABASE_URL must be a URL .*, write @ as %40, # as %23, \/ as %2F, \? as %3F and % as %25\n$/,
    )
    assert.doesNotMatch(stderr, /hunter|h@nter/)
  }
  const { stderr } = await petstore(['migrate'], { DATABASE_URL: 'postgres://me:h@nter2@127.0.0.1:1' })
  assert.match(stderr, /with the name of the database\. In a user or password, write @ as %40/)
  const plain = await petstore(['migrate'], { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1' })
  assert.match(plain.stderr, /with the name of the database\n$/)
})

test('an @ in a password needs no escape, as long as the rest of the URL is sound', async () => {
  const { stderr } = await petstore(['migrate'], { DATABASE_URL: 'postgres://me:h@nter2@127.0.0.1:1/pets' })
  assert.match(stderr, /PostgreSQL does not accept connections at the host and port in DATABASE_URL/)
})
