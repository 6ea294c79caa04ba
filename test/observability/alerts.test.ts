import assert from 'node:assert/strict'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { OBSERVABILITY, promtool, readAlerts, withoutPrometheus } from '../support/prometheus.ts'

// Series as promtool reads them: a value, how much it grows at each step of 15 seconds, and how often.
const LONG = 360
const flat = (value: number) => `${value}x${LONG}`
const growing = (step: number) => `0+${step}x${LONG}`
const COUNT = 'petstore_request_duration_seconds_count'
const BUCKET = 'petstore_request_duration_seconds_bucket'
const BUCKETS = { operation: 'getPet', status: '200' }
const LONG_POLLS = { operation: 'listEvents', status: '200' }

type Series = Record<string, string>

const series = (name: string, labels: Record<string, string> = {}) => {
  const all = { job: 'petstore', instance: 'a:9090', ...labels }
  const written = Object.entries(all).map(([label, value]) => `${label}="${value}"`)
  return `${name}{${written.join(',')}}`
}

const onMachine = (name: string, labels: Record<string, string> = {}) =>
  series(name, { job: 'machine', instance: 'a:9100', ...labels })
const DISK = { mountpoint: '/', fstype: 'ext4' }
const MEMORY = { mountpoint: '/run', fstype: 'tmpfs' }

/** A service that is well: busy, now and then refusing a call, with a switchover long ago. */
const HEALTHY: Series = {
  [series('up')]: flat(1),
  [series('petstore_processes')]: flat(2),
  [series('petstore_processes_ready')]: flat(2),
  [series('process_start_time_seconds')]: flat(1_800_000_000),
  [series(COUNT, { operation: 'getPet', status: '200' })]: growing(1_000),
  [series(COUNT, { operation: 'none', status: '404' })]: growing(500),
  [series(COUNT, { operation: 'getPet', status: '503' })]: growing(5),
  [series(BUCKET, { ...BUCKETS, le: '0.25' })]: growing(995),
  [series(BUCKET, { ...BUCKETS, le: '0.5' })]: growing(999),
  [series(BUCKET, { ...BUCKETS, le: '1' })]: growing(1_000),
  [series(BUCKET, { ...BUCKETS, le: '+Inf' })]: growing(1_000),
  // A long poll takes as long as there is no event.
  [series(BUCKET, { ...LONG_POLLS, le: '0.5' })]: growing(1),
  [series(BUCKET, { ...LONG_POLLS, le: '10' })]: growing(100),
  [series(BUCKET, { ...LONG_POLLS, le: '+Inf' })]: growing(100),
  [series('petstore_requests_shed_total')]: flat(7),
  [series('petstore_database_lost')]: flat(0),
  [series('petstore_commits_stalled')]: flat(0),
  [series('petstore_statement_holds_total')]: flat(3),
  [series('petstore_outcomes_unknown_total')]: flat(1),
  [series('petstore_pool_waiting')]: flat(0),
  [series('nodejs_eventloop_lag_p99_seconds')]: flat(0.03),
  [series('petstore_key_changes_heard')]: flat(2),
  [series('petstore_rate_limit_store_up')]: flat(1),
  [series('petstore_background_failures_total', { task: 'prune' })]: flat(2),
  [series('petstore_order_expiry_lag_seconds')]: flat(1.2),
  [series('petstore_feed_lag_seconds')]: flat(0.6),
  [series('petstore_webhooks_undelivered')]: flat(0),
  [series('petstore_webhooks', { state: 'active' })]: flat(2),
  [series('petstore_webhooks', { state: 'paused' })]: flat(0),
  [series('petstore_webhooks', { state: 'disabled' })]: flat(0),
  [series('petstore_webhook_behind_seconds', { webhook: 'wh_1' })]: flat(50),
  [series('petstore_webhook_failing_seconds', { webhook: 'wh_1' })]: flat(0),
  // Its receiver was away for a while: no reason to wake the operator.
  [series('petstore_webhook_behind_seconds', { webhook: 'wh_2' })]: flat(1_700),
  [series('petstore_webhook_failing_seconds', { webhook: 'wh_2' })]: flat(1_700),
  [series('petstore_log_errors_total', { reason: 'write_failed' })]: flat(40),
  [series('petstore_keys_expiring')]: flat(0),
  [series('petstore_search_pets_left')]: flat(0),
  [onMachine('node_filesystem_avail_bytes', DISK)]: flat(11e9),
  [onMachine('node_filesystem_size_bytes', DISK)]: flat(100e9),
  // Another disk, and memory, are none of PostgreSQL's.
  [series('node_filesystem_avail_bytes', DISK)]: flat(0),
  [series('node_filesystem_size_bytes', DISK)]: flat(100e9),
  [onMachine('node_filesystem_avail_bytes', MEMORY)]: flat(0),
  [onMachine('node_filesystem_size_bytes', MEMORY)]: flat(1e9),
  // Time begins at 0 here.
  [onMachine('petstore_backup_completed_timestamp_seconds')]: flat(-89_000),
}

/** What is otherwise when an alert is due. */
const CAUSES: Record<string, Series> = {
  PetstoreDown: { [series('up')]: flat(0) },
  PetstoreNobodyReady: { [series('petstore_processes_ready')]: flat(0) },
  PetstoreProcessNotReady: { [series('petstore_processes_ready')]: flat(1) },
  PetstoreRestarts: { [series('process_start_time_seconds')]: `1800000000+60x${LONG}` },
  PetstoreErrors: { [series(COUNT, { operation: 'getPet', status: '503' })]: growing(20) },
  PetstoreSlow: {
    [series(BUCKET, { ...BUCKETS, le: '0.5' })]: growing(980),
    [series(BUCKET, { ...BUCKETS, le: '0.25' })]: growing(900),
  },
  PetstoreShedding: { [series('petstore_requests_shed_total')]: growing(1) },
  PetstoreDatabaseLost: { [series('petstore_database_lost')]: flat(1) },
  PetstoreSandboxFailing: { [series('petstore_store_ready', { store: 'test' })]: flat(1) },
  PetstoreCommitsStalled: { [series('petstore_commits_stalled')]: flat(1) },
  PetstoreCallsHeld: { [series('petstore_statement_holds_total')]: growing(1) },
  PetstoreOutcomeUnknown: { [series('petstore_outcomes_unknown_total')]: growing(1) },
  PetstorePoolExhausted: { [series('petstore_pool_waiting')]: flat(4) },
  PetstoreEventLoopLag: { [series('nodejs_eventloop_lag_p99_seconds')]: flat(0.2) },
  PetstoreKeyChangesUnheard: { [series('petstore_key_changes_heard')]: flat(1) },
  PetstoreRateLimitStoreAway: { [series('petstore_rate_limit_store_up')]: flat(0) },
  PetstoreBackgroundFailing: { [series('petstore_background_failures_total', { task: 'prune' })]: growing(1) },
  PetstoreOrdersOverdue: { [series('petstore_order_expiry_lag_seconds')]: flat(6) },
  PetstoreFeedBehind: { [series('petstore_feed_lag_seconds')]: flat(11) },
  PetstoreWebhooksUndelivered: { [series('petstore_webhooks_undelivered')]: flat(1) },
  // It fails now and then, which the alert about failures does not see.
  PetstoreWebhookBehind: {
    [series('petstore_webhook_behind_seconds', { webhook: 'wh_1' })]: flat(61),
    [series('petstore_webhook_failing_seconds', { webhook: 'wh_1' })]: '0 5 '.repeat(LONG / 2),
  },
  PetstoreWebhookFailing: { [series('petstore_webhook_failing_seconds', { webhook: 'wh_2' })]: flat(1_900) },
  // Its own series are gone by then.
  PetstoreWebhookDisabled: { [series('petstore_webhooks', { state: 'disabled' })]: flat(1) },
  PetstoreWebhookPaused: { [series('petstore_webhooks', { state: 'paused' })]: flat(1) },
  PetstoreLogLinesLost: { [series('petstore_log_errors_total', { reason: 'write_failed' })]: growing(1) },
  PetstoreKeysExpiring: { [series('petstore_keys_expiring')]: flat(2) },
  PetstoreSearchIncomplete: { [series('petstore_search_pets_left')]: flat(7) },
  PetstoreDiskFilling: { [onMachine('node_filesystem_avail_bytes', DISK)]: flat(9e9) },
  PetstoreBackupOld: { [onMachine('petstore_backup_completed_timestamp_seconds')]: flat(-93_700) },
}

const firing = (name: string) => `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`
const expects = (expr: string, seconds: number, value: number) => ({
  expr,
  eval_time: `${seconds}s`,
  exp_samples: [{ labels: '{}', value }],
})

/** By then every window is full, once an alert has waited. */
const SETTLED_S = 1_200

/** Runs the rules over these series, and throws what is not as expected. JSON is YAML too. */
async function tryRules(given: Series, expectations: ReturnType<typeof expects>[]) {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-rules-'))
  const file = join(directory.path, 'test.json')
  const tests = {
    rule_files: [join(OBSERVABILITY, 'alerts.yml')],
    evaluation_interval: '15s',
    tests: [
      {
        interval: '15s',
        input_series: Object.entries(given).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: expectations,
      },
    ],
  }
  writeFileSync(file, JSON.stringify(tests))
  await promtool('test', 'rules', file)
}

const alerts = readAlerts()

test('promtool takes the rules and the configuration as they are', { skip: withoutPrometheus }, async () => {
  await promtool('check', 'rules', join(OBSERVABILITY, 'alerts.yml'))
  await promtool('check', 'config', join(OBSERVABILITY, 'prometheus.yml'))
})

test('every alert has a cause here, and no other', () => {
  assert.deepEqual(
    Object.keys(CAUSES),
    alerts.map(({ name }) => name),
  )
})

for (const { name, forSeconds } of alerts) {
  test(`${name} fires for its cause, after ${forSeconds} seconds of it and not before`, {
    skip: withoutPrometheus,
  }, async () => {
    const cause = { ...HEALTHY, ...CAUSES[name] }
    const since = forSeconds > 0 ? [expects(firing(name), Math.max(0, forSeconds - 15), 0)] : []
    await tryRules(cause, [...since, expects(firing(name), SETTLED_S + forSeconds, 1)])
  })
}

test('a service that is well raises none of them', { skip: withoutPrometheus }, async () => {
  const none = 'count(ALERTS) or vector(0)'
  await tryRules(
    HEALTHY,
    [300, 900, SETTLED_S, 3_000].map((seconds) => expects(none, seconds, 0)),
  )
})

// Each metric of a database then has the label `store`, but not those of requests and processes.
const OF_PROCESSES =
  /^(?:up|petstore_processes|petstore_requests|petstore_request_|petstore_rate|petstore_log|petstore_backup|node|process)/
const ofStore = (name: string, store: string) => name.replace(/\}$/, `,store="${store}"}`)
function withSandbox(given: Series): Series {
  const stores = ['live', 'test'].flatMap((store) =>
    Object.entries(given).map(([name, values]): [string, string] => [
      OF_PROCESSES.test(name) ? name : ofStore(name, store),
      values,
    ]),
  )
  const both = ['live', 'test'].flatMap((store): [string, string][] => [
    [series('petstore_store_ready', { store }), flat(2)],
    [series('petstore_store_requests_shed_total', { store }), flat(7)],
  ])
  return Object.fromEntries([...stores, ...both])
}
const severityOf = (name: string, severity: string) =>
  `count(ALERTS{alertname="${name}",alertstate="firing",severity="${severity}"}) or vector(0)`

test('with a sandbox that is well, nothing is raised', { skip: withoutPrometheus }, async () => {
  await tryRules(
    withSandbox(HEALTHY),
    [300, SETTLED_S, 3_000].map((seconds) => expects('count(ALERTS) or vector(0)', seconds, 0)),
  )
})

test('with a sandbox, the live store raises what it does alone', { skip: withoutPrometheus }, async () => {
  for (const name of [
    'PetstoreDatabaseLost',
    'PetstoreCommitsStalled',
    'PetstoreFeedBehind',
    'PetstoreWebhooksUndelivered',
    'PetstoreKeyChangesUnheard',
    'PetstoreOrdersOverdue',
    'PetstoreKeysExpiring',
    'PetstoreSearchIncomplete',
  ]) {
    const cause = Object.entries(CAUSES[name]!).map(([each, values]): [string, string] => [
      ofStore(each, 'live'),
      values,
    ])
    const given = { ...withSandbox(HEALTHY), ...Object.fromEntries(cause) }
    await tryRules(given, [expects(firing(name), 5_000, 1)])
  }
})

test('a sandbox that is lost causes no page, and is named', { skip: withoutPrometheus }, async () => {
  const ofSandbox = (name: string) => series(name, { store: 'test' })
  const lost = {
    ...withSandbox(HEALTHY),
    [ofSandbox('petstore_store_ready')]: flat(0),
    [ofSandbox('petstore_database_lost')]: flat(2),
    [ofSandbox('petstore_commits_stalled')]: flat(2),
    [ofSandbox('petstore_feed_lag_seconds')]: flat(100),
    [ofSandbox('petstore_webhooks_undelivered')]: flat(1),
    [ofSandbox('petstore_key_changes_heard')]: flat(0),
    [ofSandbox('petstore_store_requests_shed_total')]: growing(1),
    [series('petstore_requests_shed_total')]: growing(1),
  }
  await tryRules(lost, [
    expects('count(ALERTS{severity="critical"}) or vector(0)', SETTLED_S, 0),
    expects(severityOf('PetstoreSandboxFailing', 'warning'), SETTLED_S, 1),
    expects(firing('PetstoreKeyChangesUnheard'), SETTLED_S, 1),
    expects('count(ALERTS{alertname="PetstoreShedding",store="test"}) or vector(0)', SETTLED_S, 1),
    expects('count(ALERTS{alertname="PetstoreShedding"}) or vector(0)', SETTLED_S, 1),
  ])
})

test('pets whose words are being made raise nothing, however many they are', { skip: withoutPrometheus }, async () => {
  const falling = { ...HEALTHY, [series('petstore_search_pets_left')]: `1000000-1000x${LONG}` }
  await tryRules(falling, [expects(firing('PetstoreSearchIncomplete'), 5_000, 0)])
})

test('backups that were never made, or are not reported, are missed too', { skip: withoutPrometheus }, async () => {
  const { [onMachine('petstore_backup_completed_timestamp_seconds')]: _none, ...rest } = HEALTHY
  await tryRules(rest, [expects(firing('PetstoreBackupOld'), SETTLED_S, 1)])
})

test('a target that is gone from the configuration is missed too', { skip: withoutPrometheus }, async () => {
  const { [series('up')]: _gone, ...rest } = HEALTHY
  await tryRules(rest, [expects(firing('PetstoreDown'), SETTLED_S, 1)])
})
