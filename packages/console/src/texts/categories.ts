export const categories = {
  name: 'Name',
  available: 'Available',
  all: 'All pets',
  none: 'No categories have a name yet',
}
