import { count, formatNumber } from '../format.ts'

export const home = {
  soldToday: 'Sold today',
  yesterday: (n: string) => `Yesterday ${n}`,
  chart: (days: string) => `Sold each day: ${days}`,
  soonest: 'Open orders, ending soonest',
  noOpen: 'No open orders',
  allOpen: 'All open orders',
  pets: 'Pets',
  all: 'All pets',
  changes: 'Last changes',
  noChanges: 'No changes yet',
  allChanges: 'All activity',
  fine: 'Everything works',
  /** Where the key reads only one of the two. */
  serviceFine: 'The service works',
  webhooksFine: 'All webhooks work',
  unknown: 'Not known whether everything works',
  since: (when: string) => `since ${when}`,
  problems: {
    database: 'The database has a problem',
    undelivered: 'Webhooks are not delivered',
    late: 'Changes appear late',
    webhook: (name: string) => `Webhook ${name} is failing`,
    webhooks: (n: number) => count(n, 'webhook is failing', 'webhooks are failing'),
    disabled: (n: number) => count(n, 'webhook is disabled', 'webhooks are disabled'),
    search: (n: number) => `Search finds only ${formatNumber(n)} % of the pets so far`,
  },
  emptyTitle: 'Welcome to your store',
  emptyLead:
    'Here you see what sold today, which orders are open and what changed. Add the first pet, or import a list of many.',
  emptyReadOnly: 'There are no pets yet. They appear here when they are added.',
  addFirst: 'Add pet',
  importMany: 'Import a list',
  importHint: 'From a file with many pets, on the command line:',
  nothing: 'Your key shows nothing here',
  nothingLead: 'It can read neither pets, orders nor events.',
}
