import { count } from '../format.ts'

export const categories = {
  name: 'Name',
  id: 'Number',
  idHint: 'Pets keep their category as this number. It may already be that of pets.',
  available: 'Available',
  all: 'All pets',
  add: 'Add category',
  none: 'No categories have a name yet',
  noneHint: 'Pets have their category as a number. Give it a name here, such as Dogs.',
  cut: (n: number) => `Only the first ${count(n, 'category', 'categories')} are shown.`,
  actions: (name: string) => `Actions for ${name}`,
  rename: 'Rename…',
  renameTitle: (name: string) => `Rename ${name}`,
  taken: (id: bigint, name: string) =>
    `No. ${id} is already called ${name}. Rename it in the list, or choose another number.`,
  renamedMeanwhile: (name: string) => `It was renamed to ${name} meanwhile. Save to replace that name.`,
  removedMeanwhile: 'Its name was removed meanwhile. Save to add it again.',
  added: (name: string) => `${name} added.`,
  renamed: (name: string) => `Renamed to ${name}.`,
  remove: 'Remove…',
  removeTitle: (name: string) => `Remove the name ${name}?`,
  removeText: (id: bigint, pets: string) =>
    `Its pets (${pets}) are not changed: they keep the number, and their category is shown as No. ${id}.`,
  keep: 'Keep name',
  removeAction: 'Remove name',
  notRemoved: (name: string) => `${name} was renamed or removed meanwhile. Nothing was changed.`,
  removed: (name: string) => `The name ${name} was removed.`,
}
