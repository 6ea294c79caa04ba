import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { cpSync, globSync, mkdtempDisposableSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { ERRORS } from '../src/http/wire/error-codes.ts'

const DEPLOY = 'deploy/ha'

for (const file of globSync(`${DEPLOY}/errors/*.http`)) {
  test(`a response of the balancer itself follows the contract: ${file}`, () => {
    const [head = '', body = ''] = readFileSync(file, 'latin1').split('\r\n\r\n')
    const [line = '', ...fields] = head.split('\r\n')
    const headers = new Headers(fields.map((field) => field.split(': ') as [string, string]))
    const { code, message, status, ...rest } = JSON.parse(body) as Record<string, unknown>
    assert.deepEqual(rest, {})
    assert.equal(ERRORS[code as keyof typeof ERRORS].status, status)
    assert.equal(Number(line.split(' ')[1]), status)
    assert.match(String(message), /^[A-Z].*\.$/)
    assert.equal(headers.get('content-type'), 'application/json')
    assert.equal(headers.get('content-length'), String(body.length))
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('retry-after'), { 429: '10', 503: '1' }[Number(status)] ?? null)
  })
}

test('every status that the balancer may send itself has its file, and every file is used', () => {
  const configuration = readFileSync(`${DEPLOY}/haproxy.cfg`, 'utf8')
  const used = Array.from(configuration.matchAll(/^ {2}errorfile \d+ (\S+)$/gm), ([, file]) => `${DEPLOY}/${file}`)
  assert.deepEqual(used.toSorted(), globSync(`${DEPLOY}/errors/*`).toSorted())
  assert.ok(used.length >= 5)
})

test('Patroni speaks to etcd by its v2 driver: the other one loses acknowledged writes', () => {
  const environment = parseEnv(readFileSync(`${DEPLOY}/cluster.env`, 'utf8'))
  assert.equal(environment['ETCD_ENABLE_V2'], 'true')
  assert.ok(environment['PATRONI_ETCD_HOSTS'])
  assert.equal(environment['PATRONI_ETCD3_HOSTS'], undefined)
})

test('etcd demands a certificate of clients and peers, and Patroni of whatever changes something', () => {
  const text = ['cluster.env', 'node.env'].map((name) => readFileSync(`${DEPLOY}/${name}`, 'utf8')).join('\n')
  assert.doesNotMatch(text, /http:/)
  const environment = parseEnv(text)
  for (const kind of ['', 'PEER_']) {
    assert.equal(environment[`ETCD_${kind}CLIENT_CERT_AUTH`], 'true')
    assert.equal(environment[`ETCD_${kind}TRUSTED_CA_FILE`], '/etc/petstore/ca.crt')
  }
  assert.equal(environment['PATRONI_RESTAPI_VERIFY_CLIENT'], 'optional')
})

test('make-certificates signs for an address or a name, signs no authority, and renews without a new authority', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-certificates-'))
  const read = (name: string) => new X509Certificate(readFileSync(join(folder.path, name)))
  const make = () => execFileSync(`${DEPLOY}/make-certificates`, [folder.path, 'n1=10.0.0.1', 'edge=pets.example'])
  make()
  const [authority, node, edge] = [read('ca.crt'), read('n1.crt'), read('edge.crt')]
  assert.equal(node.checkIP('10.0.0.1'), '10.0.0.1')
  assert.equal(node.checkIP('10.0.0.2'), undefined)
  assert.equal(edge.checkHost('pets.example'), 'pets.example')
  for (const certificate of [node, edge]) {
    assert.ok(certificate.verify(authority.publicKey))
    assert.equal(certificate.ca, false, 'who steals its key could sign others')
  }
  for (const name of ['ca.key', 'n1.key']) assert.equal(statSync(join(folder.path, name)).mode & 0o777, 0o600)
  make()
  assert.equal(read('ca.crt').fingerprint256, authority.fingerprint256)
  assert.notEqual(read('n1.crt').fingerprint256, node.fingerprint256)
})

test('the command of README.md that replaces the addresses leaves none of them', () => {
  const command = /`(sed -i [^`]+)`/.exec(readFileSync(`${DEPLOY}/README.md`, 'utf8'))?.[1] ?? ''
  using copy = mkdtempDisposableSync(join(tmpdir(), 'petstore-deploy-'))
  cpSync(DEPLOY, copy.path, { recursive: true })
  execFileSync('sh', ['-c', command], { cwd: copy.path })
  const files = globSync('**/*', { cwd: copy.path, withFileTypes: true }).filter(
    (file) => file.isFile() && file.name !== 'README.md',
  )
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  assert.ok(texts.some((text) => text.includes('192.168.7.254:8080')))
  assert.deepEqual(texts.join('').match(/^.*10\.0\.0\..*$/gm), null)
})
