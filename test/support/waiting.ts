/**
 * Test files that mostly wait: for a time limit, or for a process that starts or ends. The longest first, so that none of them is still
 * at work when all others are done.
 */
export const WAITING = [
  'test/delivery/processes.test.ts',
  'test/cli/workers.test.ts',
  'test/acceptance/foreign.test.ts',
  'test/http/hostile.test.ts',
  'test/http/events-wait.test.ts',
  'test/cli/key-rotation.test.ts',
  'test/acceptance/store.test.ts',
  'test/acceptance/sandbox.test.ts',
  'test/traces.test.ts',
  'test/cli/dev.test.ts',
  'test/cli/clear-text.test.ts',
  'test/storage/standby.test.ts',
  'test/http/slow-requests.test.ts',
  'test/cli/unusable-database.test.ts',
  'test/storage/long-transactions.test.ts',
  'test/storage/feed-connection.test.ts',
  'test/storage/feed-silence.test.ts',
  'test/cli/local-users.test.ts',
  'test/http/admission.test.ts',
  'test/roles.test.ts',
  'test/observability/scrapes.test.ts',
  'test/cli/start-log.test.ts',
  'test/storage/migrate.test.ts',
  'test/acceptance/first-look.test.ts',
  'test/cli/unsafe-database.test.ts',
  'test/storage/failover.test.ts',
  'test/secrets.test.ts',
  'test/http/keys.test.ts',
  'test/deploy/balancer.test.ts',
]

/**
 * Run before them, one at a time, since a busy machine disturbs them: some clauses require a response within a quarter of a second, what is
 * delivered twice depends on how soon it is stored, and a service gives a connection 0.7 s.
 */
export const FIRST = ['test/acceptance/verify.test.ts', 'test/delivery/delivery.test.ts', 'test/cli/serve.test.ts']
