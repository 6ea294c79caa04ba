export const palette = {
  title: 'Search',
  hint: 'A pet, an order, a page or an action',
  empty: 'No match. Type a name, an id, a reference or the name of a page.',
  missing: (why: string) => `Some results may be missing. ${why}`,
  late: 'The service took too long.',
  groups: { pets: 'Pets', orders: 'Orders', places: 'Go to', actions: 'Actions' },
  addPet: 'Add pet',
  goTo: (place: string) => `Go to ${place}`,
  view: (section: string, view: string) => `${section}: ${view}`,
  openPet: (id: string) => `Open pet ${id}`,
  openOrder: (id: string) => `Open order ${id}`,
  theme: (name: string) => `Use ${name} theme`,
}
