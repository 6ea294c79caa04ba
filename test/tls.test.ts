import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { EmbeddedPostgres } from '../src/cli/dev/embedded-postgres.ts'
import { petstore, serve } from './support/process.ts'
import { until } from './support/until.ts'

// A PostgreSQL of its own, with a certificate for the name localhost, signed by an authority that we make here.
const directory = mkdtempSync(join(tmpdir(), 'petstore-tls-'))
after(() => rmSync(directory, { recursive: true }))
const ours = makeCertificate('ours')
const another = makeCertificate('another')
const theirs = makeCertificate('localhost', ours)
writeFileSync(join(directory, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n')
// As root we run PostgreSQL as nobody, who must own what only PostgreSQL may read.
if (process.getuid?.() === 0) {
  chownSync(theirs.key, 65_534, 65_534)
  chmodSync(directory, 0o755)
}

const server = await EmbeddedPostgres.start(join(directory, 'postgres'), [
  'ssl=on',
  `ssl_cert_file=${theirs.certificate}`,
  `ssl_key_file=${theirs.key}`,
  `hba_file=${join(directory, 'pg_hba.conf')}`,
])
after(() => server[Symbol.asyncDispose]())

const verified = urlOf('localhost', { sslmode: 'verify-full', sslrootcert: ours.certificate })

test('with the right authority the service works, and every connection that it has is encrypted', async () => {
  assert.equal((await petstore(['migrate'], { DATABASE_URL: verified })).code, 0)
  const { address } = await serve(verified)
  await until(async () => (await fetch(`${address}/readyz`)).ok)
  const client = new pg.Client(verified)
  await client.connect()
  const { rows } = await client.query<{ ssl: boolean }>(
    `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'petstore'`,
  )
  await client.end()
  assert.ok(rows.length >= 2) // the pool, and the listener
  assert.ok(rows.every(({ ssl }) => ssl))
})

const REFUSED: Record<string, { url: string; because: RegExp }> = {
  'a server whose certificate another authority has signed': {
    url: urlOf('localhost', { sslmode: 'verify-full', sslrootcert: another.certificate }),
    because: /certificate/,
  },
  'a server whose certificate no known authority has signed': {
    url: urlOf('localhost', { sslmode: 'verify-full' }),
    because: /certificate/,
  },
  'a server whose certificate is for another name': {
    url: urlOf('127.0.0.1', { sslmode: 'verify-full', sslrootcert: ours.certificate }),
    because: /does not match certificate|altnames/,
  },
  'sslmode=require, taken as verify-full, when no known authority has signed': {
    url: urlOf('localhost', { sslmode: 'require' }),
    because: /certificate/,
  },
  'to speak in the clear to a server that takes only TLS': {
    url: urlOf('localhost', { sslmode: 'disable' }),
    because: /no encryption/,
  },
}

for (const [what, { url, because }] of Object.entries(REFUSED)) {
  test(`rejected: ${what}`, async () => {
    const { code, stderr } = await petstore(['migrate', '--check'], { DATABASE_URL: url })
    assert.equal(code, 1)
    assert.match(stderr, because)
    assert.ok(!stderr.includes(new URL(server.url).password))
  })
}

test('a wrong password is reported in a sentence', async () => {
  const url = new URL(verified)
  url.password = 'x'
  const { code, stderr } = await petstore(['migrate'], { DATABASE_URL: url.href })
  assert.equal(code, 1)
  assert.match(stderr, /^petstore: [^\n]*rejected the user or password[^\n]*\n$/)
})

function urlOf(hostname: string, parameters: Record<string, string>) {
  const url = new URL(server.url)
  url.hostname = hostname
  url.search = new URLSearchParams(parameters).toString()
  return url.href
}

interface Signed {
  certificate: string
  key: string
}

function makeCertificate(name: string, signer?: Signed): Signed {
  const [certificate, key] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)]
  const signing = signer ? ['-CA', signer.certificate, '-CAkey', signer.key] : []
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, ...signing, '-keyout', key, '-out', certificate], {
    stdio: 'pipe',
  })
  chmodSync(key, 0o600)
  return { certificate, key }
}
