import { count, formatCount, formatMs, formatNumber } from '../format.ts'

export const status = {
  needs: (n: number) => `${formatNumber(n)} ${n === 1 ? 'thing needs' : 'things need'} attention`,
  version: 'Version',
  startedAt: 'Running since',
  database: 'Database',
  states: {
    ok: 'Works.',
    lost: 'Does not respond.',
    stalled: 'Takes no changes while its standby is down.',
    read_only: 'Takes no changes.',
    schema_outdated: 'Migrations are missing.',
    rights_missing: 'Rights are missing.',
  },
  tell: 'Tell',
  feed: 'Events',
  upToDate: 'Changes appear as they happen.',
  late: (ms: number) => `Changes appear ${formatMs(ms)} late. If that does not pass within a minute, tell`,
  search: 'Search',
  complete: 'Every pet can be found by its name.',
  percent: (n: number) => `${n} % of the pets can be found by name. The others follow.`,
  webhooks: 'Webhooks',
  webhookStates: (active: number, paused: number, disabled: number) =>
    `${active} active, ${paused} paused, ${disabled} stopped by the service.`,
  failing: (n: number) => `${count(n, 'active one is', 'active ones are')} failing.`,
  keyless: (n: number) => `${formatNumber(n)} paused because ${n === 1 ? 'its key does' : 'their keys do'} not work.`,
  notSeen: 'Your key cannot see whether they are received.',
  behind: (n: number) => `The slowest one is ${count(n, 'event', 'events')} behind.`,
  undelivered: (n: number) => `${count(n, 'active one is', 'active ones are')} not delivered by any process. Tell`,
  seeWebhooks: 'See why',
  keys: 'Keys',
  noneExpire: 'None expires within 30 days.',
  expire: (n: number) =>
    `${formatCount(n)} ${n === 1 ? 'expires within 30 days. To have it' : 'expire within 30 days. To have them'} replaced, ask`,
  seeKeys: 'See which',
  unknown: 'Unknown: the database did not respond in time.',
}
