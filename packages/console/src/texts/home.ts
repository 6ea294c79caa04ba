import { count, formatNumber } from '../format.ts'

export const home = {
  openOrders: 'Open orders',
  open: (n: number, more: boolean) =>
    more ? `${formatNumber(n)}+ open orders` : n === 0 ? 'No open orders' : count(n, 'open order', 'open orders'),
  changes: 'Last changes',
  webhooks: 'Webhooks',
  failing: (n: number) => count(n, 'webhook is failing', 'webhooks are failing'),
  noneFailing: 'No webhook is failing',
  key: 'Your key',
  expires: 'Expires',
  neverExpires: 'Does not expire',
  lists: 'Go to',
}
