import { formatOr } from '../format.ts'

export const panel = {
  label: 'Pet',
  titleOf: (id: bigint) => `Pet ${id}`,
  more: 'More about this pet',
  order: 'Show order',
  orders: 'Orders of this pet',
  copyLink: 'Copy link',
  copyCurl: 'Copy as curl',
  correct: 'Correct the status…',
  correctTitle: 'Correct the status',
  correctLead: 'For mistakes only: this changes the status by hand and makes no order. To sell the pet, use Sell.',
  version: (n: bigint) => `Version ${n}`,
  gone: 'This pet does not exist.',
  goneLead: (id: bigint) => `No pet has the id ${id}. It may have been deleted.`,
  held: 'An order holds this pet. Complete the sale or release the pet first.',
  heldDelete: 'This pet is held by an order, so it can’t be deleted. Complete the sale or release the pet first.',
  sold: 'This pet is sold. Another status leaves its order completed.',
  actions: { 'pets:edit': 'change', 'pets:delete': 'delete', 'orders:write': 'sell' },
  readOnly: (actions: readonly string[], scopes: string) =>
    `Your key can’t ${formatOr(actions)} this pet: it does not have ${scopes}.`,
  unsaved: 'Not saved. Enter saves, Esc discards.',
  anotherUser: 'Another user',
  theirs: (who: string, value: string) => `${who} changed it to “${value}”. Save replaces that.`,
  statusIs: (name: string, status: string) => `${name} is now ${status.toLowerCase()}.`,
  statusNone: (name: string) => `${name} has no status now.`,
  renamed: (from: string, to: string) => `${from} is now called ${to}.`,
  moved: (name: string, category: string) => `${name} is now in ${category}.`,
  undone: (name: string) => `${name} is as it was.`,
  conflict: (who: string) => `${who} changed this pet first. Your change was not saved; this is the pet as it is now.`,
  conflictKept: (who: string) => `${who} changed this pet first. Your text is still in its field and not saved yet.`,
  notDeleted: (who: string) => `${who} changed this pet first, so it was not deleted. This is the pet as it is now.`,
  changedSince: (who: string) => `Not undone: ${who} changed the pet after that.`,
  delete: 'Delete',
  deleteMenu: 'Delete pet…',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (name: string, id: bigint) =>
    `${name} (pet ${id}) is deleted, and this can’t be undone. Its history stays.`,
  deleted: (name: string) => `${name} was deleted.`,
}

export const history = {
  title: 'History',
  empty: 'No changes are recorded.',
  showOlder: 'Show older changes',
  noScope: 'Your key can’t read the history: it does not have events:read.',
}
