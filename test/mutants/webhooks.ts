import type { Mutant } from './mutant.ts'

const STORED = 'src/storage/webhooks/webhooks.ts'
const CREATED = 'src/storage/webhooks/create.ts'
const LEASES = 'src/storage/webhooks/leases.ts'
const DOMAIN = 'src/domain/webhooks.ts'

/** Faults of webhooks: where they may be sent, how many there are, their secrets and their position in the feed. */
export const WEBHOOK_MUTANTS: Mutant[] = [
  {
    name: 'webhook-too-many',
    what: 'a store can have 21 webhooks',
    file: CREATED,
    edits: [['MAX_WEBHOOKS = 20', 'MAX_WEBHOOKS = 21']],
    kill: 'webhooks.w9',
  },
  {
    name: 'webhook-race',
    what: 'webhooks that are created at once are not counted together',
    file: CREATED,
    edits: [
      ['select pg_advisory_xact_lock($1)', 'select $1::bigint'],
      // A commit that takes its time, as on a disk that is busy.
      ['$7, $7, $8, $9 where', '$7, $7, $8, $9 from pg_sleep(0.05) where'],
    ],
    kill: 'webhooks.w9.race',
  },
  {
    name: 'webhook-same-secret',
    what: 'a rotation returns the secret that the webhook had',
    file: STORED,
    edits: [['secret_number = secret_number + 1', 'secret_number = secret_number']],
    kill: 'webhooks.rotate',
  },
  {
    name: 'webhook-one-secret',
    what: 'all webhooks have the same secret',
    file: DOMAIN,
    edits: [
      [
        'webhookSecret(masterSecret, webhook.id, secretNumber)',
        "webhookSecret(masterSecret, webhook && '', secretNumber)",
      ],
    ],
    kill: 'webhooks.secrets',
  },
  {
    name: 'webhook-private',
    what: 'a webhook may be sent to a private address',
    file: 'src/lib/receivers.ts',
    edits: [['return isAllowed(host, rules) ? undefined', "return isAllowed(host, rules) || host !== '' ? undefined"]],
    kill: 'webhooks.w3.private',
  },
  {
    name: 'webhook-unmoved',
    what: 'a cursor does not move a webhook',
    file: STORED,
    edits: [['sequence = coalesce($6, sequence)', 'sequence = webhooks.sequence']],
    kill: 'webhooks.w6.back',
  },
  {
    name: 'webhook-any-cursor',
    what: 'a webhook is moved by a cursor that is not in the feed',
    file: DOMAIN,
    edits: [['throw cursorExpired()', 'void cursorExpired()']],
    kill: 'webhooks.w6.altered',
  },
  {
    name: 'webhook-all-types',
    what: 'null as the types of a webhook changes nothing',
    file: STORED,
    edits: [
      ['case when $3::boolean then $4 else types end', 'coalesce($4, case when $3::boolean then types else types end)'],
    ],
    kill: 'webhooks.change.all',
  },
  {
    name: 'webhook-types-passed',
    what: 'events of new types are passed over until the process that delivers has noticed',
    file: STORED,
    edits: [['($6::bigint is not null or ($3::boolean and types is distinct from $4))', '($6::bigint is not null)']],
    kill: 'webhooks.delivery.types.changed',
  },
  {
    name: 'webhook-created-twice',
    what: 'a webhook that is created again with its Idempotency-Key is another one',
    file: 'src/http/webhooks/routes.ts',
    edits: [['          key,\n          request,', '          key && undefined,\n          request,']],
    kill: 'webhooks.once',
  },
  {
    name: 'webhook-of-no-key',
    what: 'a webhook does not show which key created it',
    file: STORED,
    edits: [['created_by as "createdBy"', 'null as "createdBy"']],
    kill: 'webhooks.keys',
  },
  {
    name: 'webhook-scope',
    what: 'a key that can read pets can manage webhooks',
    file: 'src/http/webhooks/routes.ts',
    edits: [["scope: 'webhooks:manage'", "scope: 'pets:read'"]],
    kill: 'scopes.s1.listWebhooks',
  },
  {
    name: 'webhook-name-kept',
    what: 'null as the name of a webhook does not remove it',
    file: STORED,
    edits: [
      ['case when $9::boolean then $10 else name end', 'case when $9::boolean then coalesce($10, name) else name end'],
    ],
    kill: 'webhooks.name.change',
  },
  {
    name: 'webhook-retry-hammers',
    what: 'a retry can be requested again at once',
    file: STORED,
    edits: [['RETRY_SECONDS = 10', 'RETRY_SECONDS = 0']],
    kill: 'webhooks.retry.apart',
  },
  {
    name: 'webhook-retry-overwritten',
    what: 'a retry that was requested since the last renewal is lost if the process ends',
    file: LEASES,
    edits: [['retry_at is distinct from given.retried', 'retry_at is distinct from given.retried and false']],
    kill: { test: 'test/storage/leases.test.ts', names: 'a retry that was requested is not overwritten' },
  },
  {
    name: 'webhook-responses-stay',
    what: 'responses are kept as long as attempts',
    file: LEASES,
    edits: [['RESPONSES_KEPT = 20', 'RESPONSES_KEPT = 100']],
    kill: { test: 'test/storage/leases.test.ts', names: 'of the last twenty attempts the response is kept' },
  },
]
