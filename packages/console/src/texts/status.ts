export const status = {
  version: 'Version',
  startedAt: 'Running since',
  database: 'Database',
  states: {
    ok: 'Works',
    lost: 'Does not respond',
    stalled: 'Can be read, but takes no changes: its standby is down',
    read_only: 'Takes no changes',
    schema_outdated: 'Migrations are missing',
    rights_missing: 'Rights are missing',
  },
  feed: 'Events',
  upToDate: 'Up to date',
  search: 'Search',
  percent: (n: number) => `${n} % of the pets can be found by name`,
  webhooks: 'Webhooks',
  webhookStates: (active: number, paused: number, disabled: number) =>
    `${active} active, ${paused} paused, ${disabled} disabled`,
  keys: 'Keys that expire within 30 days',
  unknown: 'Unknown',
}
