import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import { readConfig } from '../../src/config.ts'
import { readBuildInfo } from '../../src/lib/build-info.ts'
import { createDatabase } from '../support/database.ts'
import { skipWithout } from '../support/installed.ts'
import { petstore, serve } from '../support/process.ts'

const { url, name: database } = await createDatabase()
const { version } = readBuildInfo()
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
const SCRIPT = '/usr/bin/script'

test('petstore --version prints version and commit', async () => {
  const { code, stdout } = await petstore(['--version'])
  assert.equal(code, 0)
  assert.equal(stdout, `petstore ${version} (commit ${commit})\n`)
})

for (const workers of ['1', '2']) {
  test(`the log begins with version, commit and settings, without secrets (WORKERS=${workers})`, async () => {
    const adminPort = String(await freePort())
    const { child, output } = await serve(`${url}?application_name=hunter2hunter2`, {
      WORKERS: workers,
      ADMIN_PORT: adminPort,
      REDIS_URL: 'redis://user:hunter2hunter2@127.0.0.1:1/3',
      RATE_LIMIT: '100/s',
      TRUST_PROXY: '10.0.0.0/8',
      RATELIMIT: 'hunter2hunter2',
      PETSTORE_SETTING: 'hunter2hunter2',
    })
    while (!output.stdout.includes('PETSTORE_SETTING')) await once(child.stdout, 'data')
    const lines = output.stdout.split('\n').filter((line) => line.endsWith('}'))
    const start = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ msg }) => msg === 'starting')!
    assert.equal(start['version'], version)
    assert.equal(start['commit'], commit)
    const { DATABASE_URL, ...settings } = start['settings'] as Record<string, unknown>
    assert.equal(DATABASE_URL, `postgres://${new URL(url).host}/${database}`)
    assert.deepEqual(settings, {
      DATABASE_CONNECTIONS: 10,
      HOST: '127.0.0.1',
      PORT: 0,
      ADMIN_HOST: '127.0.0.1',
      ADMIN_PORT: Number(adminPort),
      WORKERS: Number(workers),
      MAX_IN_FLIGHT: 1_000,
      DRAIN_DELAY: 2,
      EVENTS_RETENTION: '2592000s',
      REDIS_URL: 'redis://127.0.0.1:1/3',
      RATE_LIMIT: '100/s',
      KEY_MODE: 'any',
      TRUST_PROXY: '10.0.0.0/8',
      CONSOLE: 'on',
      CLOSING_TIME: '18:00',
      MCP: 'on',
      LOG_LEVEL: 'info',
    })
    assert.ok(!output.stdout.includes('hunter2'))
    const warned = (text: string) => output.stdout.split(text).length - 1
    assert.equal(warned('RATELIMIT is not a setting and has no effect. Did you mean RATE_LIMIT?'), 1)
    assert.equal(warned('PETSTORE_SETTING is not a setting and has no effect.'), 1)
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    assert.ok(metrics.includes(`\npetstore_build_info{version="${version}",commit="${commit}"} 1\n`))
  })
}

const warningsFor = (env: NodeJS.ProcessEnv) => readConfig({ ...env, DATABASE_URL: url }).warnings

test('variables that look like settings are reported with the setting that was meant', () => {
  const meant = {
    RATELIMIT: 'RATE_LIMIT',
    MAX_INFLIGHT: 'MAX_IN_FLIGHT',
    LOGLEVEL: 'LOG_LEVEL',
    REDIS_URI: 'REDIS_URL',
    CORS_ORIGIN: 'CORS_ORIGINS',
    PETSTORE_RATE_LIMIT: 'RATE_LIMIT',
    WORKER: 'WORKERS',
  }
  for (const [name, setting] of Object.entries(meant))
    assert.deepEqual(warningsFor({ [name]: 'x' }), [
      `${name} is not a setting and has no effect. Did you mean ${setting}?`,
    ])
})

test('a start that fails for its settings names the mistyped ones too', async () => {
  const { code, stderr } = await petstore(['serve'], { DATABSE_URL: 'postgres://x:hunter2@127.0.0.1/x', PORT: 'http' })
  assert.equal(code, 1)
  assert.deepEqual(stderr.trimEnd().split('\n').slice(1), [
    '  DATABASE_URL is required: a URL like postgres://user:password@host:5432/petstore',
    '  PORT must be a port from 0 to 65535, where 0 takes any free one',
    '  DATABSE_URL is not a setting and has no effect. Did you mean DATABASE_URL?',
  ])
})

test('variables of others are not reported', () => {
  const common =
    'HOSTNAME PATH PWD OLDPWD HOME USER LOGNAME SHELL SHLVL TERM LANG LC_ALL TZ TMPDIR MAIL HOSTTYPE DISPLAY'
  const tools =
    'PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE NODE_ENV NODE_OPTIONS NODE_COMPILE_CACHE MALLOC_ARENA_MAX CI HTTP_PROXY NO_PROXY npm_config_loglevel npm_lifecycle_event INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_HEADERS OTEL_TRACES_SAMPLER REDIS_HOST REDIS_PORT'
  const kubernetes =
    'KUBERNETES_SERVICE_HOST KUBERNETES_PORT_443_TCP PETSTORE_SERVICE_HOST PETSTORE_SERVICE_PORT_HTTP PETSTORE_PORT PETSTORE_PORT_80_TCP_ADDR PETSTORE_METRICS_SERVICE_HOST'
  const known = 'PETSTORE_KEY PETSTORE_READ_KEY PETSTORE_PETS_KEY PETSTORE_REPOSITORY'
  const names = [common, tools, kubernetes, known].flatMap((list) => list.split(' '))
  assert.deepEqual(warningsFor(Object.fromEntries(names.map((each) => [each, 'x']))), [])
  const ours = Object.keys(process.env).filter((each) => each !== 'DATABASE_URL')
  assert.deepEqual(warningsFor(Object.fromEntries(ours.map((each) => [each, '']))), [])
})

test('a public address without AUTH_FAILURE_LIMIT is reported', () => {
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'pets.example'])
    assert.match(String(warningsFor({ HOST: host })), /^AUTH_FAILURE_LIMIT is not set/)
  for (const host of ['127.0.0.1', '127.0.0.53', '::1', 'localhost']) assert.deepEqual(warningsFor({ HOST: host }), [])
  assert.deepEqual(warningsFor({ HOST: '0.0.0.0', AUTH_FAILURE_LIMIT: '20/m' }), [])
})

test('on a terminal the log is for people', { skip: skipWithout(SCRIPT, 'bsdutils') }, async () => {
  const main = new URL('../../src/start.js', import.meta.url).pathname
  const terminal = spawn(SCRIPT, ['-qefc', `${process.execPath} ${main} serve`, '/dev/null'], {
    env: { DATABASE_URL: url, PORT: '0', ADMIN_PORT: '0' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  after(() => terminal.kill('SIGKILL'))
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  const listening = () => /^[0-9:.]{12} info {2}Server listening at (\S+)\r$/m.exec(shown)?.[1]
  while (!listening()) await once(terminal.stdout, 'data')
  await fetch(`${listening()}/v1/pets`)
  while (
    !/^[0-9:.]{12} info {2}GET \/v1\/pets 401 operation=listPets requestId=\S+ client=127\.0\.0\.1 ms=[0-9.]+ code=missing_credentials\r$/m.test(
      shown,
    )
  )
    await once(terminal.stdout, 'data')
  assert.ok(!shown.includes('{"level"'))
  terminal.kill('SIGTERM')
})
