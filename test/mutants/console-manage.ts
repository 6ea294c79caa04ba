import type { Mutant } from './mutant.ts'

const CONSOLE = 'packages/console/src'
const SCREENS = `${CONSOLE}/screens`
const TESTS = 'test/browser/console'
const HEALTH = 'test/console/health.test.ts'

/** Of the frame, and of the screens for those who look after a store. */
export const CONSOLE_MANAGE_MUTANTS: Mutant[] = [
  {
    name: 'stopped-webhook-is-well',
    what: 'a webhook that was stopped with its key is no problem',
    file: `${CONSOLE}/health.ts`,
    edits: [["webhook.reason !== undefined || ['failing'", "['failing'"]],
    kill: { test: HEALTH, names: 'a webhook that the service has stopped is a problem' },
  },
  {
    name: 'given-up-webhook-is-well',
    what: 'a webhook that the service has given up is no problem',
    file: `${CONSOLE}/health.ts`,
    edits: [["['failing', 'disabled']", "['failing']"]],
    kill: { test: HEALTH, names: 'a webhook that fails is named' },
  },
  {
    name: 'first-of-the-stuck',
    what: 'of several webhooks with a problem only the first is shown',
    file: `${CONSOLE}/health.ts`,
    edits: [['webhook && !another ?', 'webhook && (another ?? true) ?']],
    kill: { test: HEALTH, names: 'the only webhook with a problem is opened' },
  },
  {
    name: 'late-feed-unsaid',
    what: 'events may be ten seconds late before that is said',
    file: `${CONSOLE}/health.ts`,
    edits: [['LATE_MS = 1_000', 'LATE_MS = 10_000']],
    kill: { test: HEALTH, names: 'the worst comes first' },
  },
  {
    name: 'status-without-webhooks',
    what: 'the status says that everything works while a webhook fails',
    file: `${SCREENS}/status.tsx`,
    edits: [['hooks?.filter(isStuck)', 'hooks?.filter(isStuck).slice(0, 0)']],
    kill: { test: `${TESTS}/manage.ts`, names: 'the status says that a webhook fails' },
  },
  {
    name: 'works-unseen',
    what: 'a key that cannot see the webhooks reads that everything works',
    file: `${CONSOLE}/read-health.ts`,
    edits: [["can('status:read') && can('webhooks:manage')", "can('status:read')"]],
    kill: { test: `${TESTS}/manage.ts`, names: 'does not read that everything works' },
  },
  {
    name: 'orders-beyond-the-count',
    what: '50 open orders, where the service stops counting, are shown as exactly 50',
    file: `${SCREENS}/people.tsx`,
    edits: [['MOST_ORDERS = 50', 'MOST_ORDERS = 100']],
    kill: { test: `${TESTS}/manage.ts`, names: '50 orders stand for 50 or more' },
  },
  {
    name: 'cause-of-last-attempt',
    what: 'why a webhook fails disappears when a test succeeds',
    file: `${SCREENS}/webhooks-pane.tsx`,
    edits: [['...(live.data.value ?? [])]', '...(live.data.value ?? []).slice(0, 1)]']],
    kill: { test: `${TESTS}/webhooks.ts`, names: 'why a webhook fails stays' },
  },
  {
    name: 'replay-from-oldest',
    what: 'the replay of a webhook that fails begins with the oldest event',
    file: `${SCREENS}/webhooks-replay.tsx`,
    edits: [["onRetry ? 'failure' : 'oldest'", "'oldest'"]],
    kill: { test: `${TESTS}/webhooks.ts`, names: 'begins with the event that failed' },
  },
  {
    name: 'closed-sections',
    what: 'sections that the key cannot open are offered',
    file: `${CONSOLE}/sections.ts`,
    edits: [['missingScope(section) === undefined)', 'pathOf(section) !== undefined)']],
    kill: { test: `${TESTS}/frame.ts`, names: 'only the sections that it can open' },
  },
  {
    name: 'rejected-key-stays',
    what: 'a key that was rejected stays in the field',
    file: `${SCREENS}/sign-in.tsx`,
    edits: [["    input.value = ''\n", '']],
    kill: { test: `${TESTS}/sign-in.ts`, names: 'a rejected key shows the message of the service' },
  },
]
