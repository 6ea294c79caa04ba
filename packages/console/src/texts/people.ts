import { count, formatNumber } from '../format.ts'

export const people = {
  views: 'Keys',
  all: 'All',
  usesDeprecated: 'Uses deprecated operations',
  noneDeprecated: 'No key uses deprecated operations',
  noneDeprecatedHint: 'None was called in the last 30 days.',
  name: 'Name',
  state: 'State',
  states: {
    active: 'Active',
    replaced: 'Replaced, works until it expires',
    expired: 'Expired',
    revoked: 'Revoked',
  },
  /** By the scopes that the key has, whatever it was made with. */
  roles: { manager: 'Manager', staff: 'Staff', shop: 'Shop', reader: 'Reader' },
  lastUsed: 'Last used',
  expires: 'Expires',
  never: 'Never',
  openOrders: 'Open orders',
  ofLimit: (n: number) => `It may have ${formatNumber(n)} open orders.`,
  webhooks: 'Webhooks',
  deprecated: 'Deprecated requests',
  cut: (n: number) => `Only the newest ${count(n, 'key', 'keys')} are shown.`,
  elsewhere: 'Keys are made, changed and revoked on the command line, with',
  ask: 'For a new or another key, ask',
}
