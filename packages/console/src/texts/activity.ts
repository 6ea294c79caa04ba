import { count } from '../format.ts'

export const eventTypes = {
  'pet.created': 'Pet added',
  'pet.updated': 'Pet changed',
  'pet.deleted': 'Pet deleted',
  'order.placed': 'Order placed',
  'order.completed': 'Order completed',
  'order.cancelled': 'Order cancelled',
  'order.expired': 'Order expired',
  'pets.imported': 'Pets imported',
}

export const activity = {
  type: 'Kind',
  allTypes: 'All changes',
  person: 'Person',
  anyPerson: 'Anyone',
  day: 'Day',
  pet: 'Pet',
  petHint: 'Pet name or id',
  noPet: (name: string) => `No pet is called “${name}”.`,
  whichPet: 'Which pet?',
  showAll: 'Clear filters',
  today: 'Today',
  yesterday: 'Yesterday',
  earliestFirst: 'Earliest first',
  pause: 'Pause',
  resume: 'Resume',
  paused: (n: number) => (n === 0 ? 'Paused' : `Paused · ${count(n, 'new event', 'new events')}`),
  openOrder: 'Open order',
  rawOf: (name: string, id: string) => `JSON of ${name}, ${id}`,
  cut: (n: number) => `Only ${count(n, 'event', 'events')} are shown.`,
  restart: 'Read again',
  showOlder: 'Show older events',
  showLater: 'Show later events',
  noneYetHint: 'None found so far. There may be more.',
  none: 'No events',
  noneHint: 'New events appear here as they happen.',
}

/** What an event says; `{who}`, `{pet}` and the others are the places of names. */
export const sentence = {
  types: {
    'pet.created': '{who} added {pet}',
    'pet.deleted': '{who} deleted {pet}',
    'order.placed': '{who} reserved {pet}',
    'order.completed': '{who} sold {pet}',
    'order.cancelled': '{who} released {pet}',
    'order.expired': 'The reservation of {pet} ended',
  },
  typesFor: {
    'order.placed': '{who} reserved {pet} for {for}',
    'order.completed': '{who} sold {pet} to {for}',
    'order.cancelled': '{who} released {pet}, held for {for}',
    'order.expired': 'The reservation of {pet} for {for} ended',
  },
  renamed: '{who} renamed {pet} to {to}',
  renamedTo: '{who} renamed a pet to {to}',
  moved: '{who} moved {pet} from {from} to {to}',
  movedTo: '{who} moved {pet} to {to}',
  marked: '{who} marked {pet} as {to}',
  unmarked: '{who} removed the status of {pet}',
  changed: '{who} changed {pet}',
  changedFields: '{who} changed the {what} of {pet}',
  fields: { name: 'name', categoryId: 'category', status: 'status' },
  and: ' and ',
  imported: '{who} imported {what}',
  pets: (n: bigint) => count(n, 'pet', 'pets'),
  other: '{who}: {what} {pet}',
  /** In the history of a pet, in place of its name. */
  it: 'it',
  changedOwn: '{who} changed its {what}',
}
