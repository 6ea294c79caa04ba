import { count, formatCount, formatMs, formatNumber } from '../format.ts'

export const status = {
  allWell: 'Everything works',
  needs: (n: number) => `${formatNumber(n)} ${n === 1 ? 'thing needs' : 'things need'} attention`,
  version: 'Version',
  startedAt: 'Running since',
  database: 'Database',
  states: {
    ok: 'Works.',
    lost: 'Does not respond. Nothing can be seen or changed until it does.',
    stalled: 'Can be read, but takes no changes: its standby is down. Changes wait for a few seconds, and then fail.',
    read_only: 'Takes no changes. Pets and orders can only be seen.',
    schema_outdated: 'Has an older schema than this version needs.',
    rights_missing: 'The service lacks rights in it.',
  },
  tell: 'Tell',
  feed: 'Events',
  upToDate: 'Changes appear as they happen.',
  late: (ms: number) =>
    `Changes appear ${formatMs(ms)} late, here and at webhooks. If this lasts for more than a minute, tell`,
  search: 'Search',
  complete: 'Every pet can be found by its name.',
  percent: (n: number) => `${n} % of the pets can be found by name. The others follow by themselves.`,
  webhooks: 'Webhooks',
  webhookStates: (active: number, paused: number, disabled: number) =>
    `${active} active, ${paused} paused, ${disabled} stopped by the service.`,
  behind: (n: number) => `The slowest one is ${count(n, 'event', 'events')} behind.`,
  undelivered: (n: number) =>
    `${count(n, 'active webhook gets', 'active webhooks get')} no events, since no process delivers them. Tell`,
  seeWebhooks: 'See why',
  keys: 'Keys',
  noneExpire: 'None expires within 30 days.',
  expire: (n: number) =>
    `${formatCount(n)} ${n === 1 ? 'expires' : 'expire'} within 30 days. To have them replaced, ask`,
  seeKeys: 'See which',
  unknown: 'Unknown: the database did not respond in time.',
}
