import { count, formatNumber } from '../format.ts'

export const people = {
  views: 'Keys',
  all: 'All',
  usesDeprecated: 'Uses deprecated operations',
  noneDeprecated: 'No key has used a deprecated operation in the last 30 days',
  name: 'Name',
  state: 'State',
  states: {
    active: 'Active',
    replaced: 'Replaced',
    expired: 'Expired',
    revoked: 'Revoked',
  },
  /** By the scopes that the key has, whatever it was made with. */
  roles: { manager: 'Manager', staff: 'Staff', shop: 'Shop', reader: 'Reader' },
  lastUsed: 'Last used',
  expires: 'Expires',
  expiresOn: (day: string) => `expires ${day}`,
  never: 'Never',
  openOrders: 'Open orders',
  ofLimit: (n: number) => `of ${formatNumber(n)}`,
  orders: (shown: string, n: number) => `${shown} open ${n === 1 ? 'order' : 'orders'}`,
  webhooks: 'Webhooks',
  ofWebhooks: (n: number) => count(n, 'webhook', 'webhooks'),
  deprecated: 'Deprecated requests',
}
