// The bodies that the document shows. A test sends what leads to each, and expects the response as it is written here.

/** No double holds this number: a client that reads it wrong notices at once. */
const LARGEST = 2n ** 63n - 1n

export const REX = { id: 1n, name: 'Rex', categoryId: 1n, status: 'available' }
const WHISKERS = { id: 2n, name: 'Whiskers', categoryId: 2n, status: 'available' }

const ORDERED = { ...WHISKERS, status: 'pending', version: 2n, orderId: 'ord_AAAAAAAAAjQ8diTHYAAF' }

export const PAGES = { page: [REX, WHISKERS], empty: [], full: [{ ...REX, version: 1n }, ORDERED] }

export const COUNTS = { few: { count: 2, isMore: false }, many: { count: 1_000, isMore: true } }

export const COUNTS_BY_STATUS = { category: { available: 12, pending: 0, sold: 1_000, none: 3 } }

export const NEW_PETS = {
  whole: { name: 'Shelly 🐢', categoryId: LARGEST, status: 'pending' },
  least: { name: 'Rex', categoryId: 1n },
}

/** The order that holds a pet in an example. */
export const HELD_BY = (1_794_821_400_123n << 21n) + 5n

export const PATCHES = { rename: { name: 'Rex II', status: null }, release: { status: 'available' } }

export const RECORDS = {
  rename: { id: 1n, name: 'Rex II', categoryId: 1n, version: 2n },
  release: { ...REX, name: 'Rex II', version: 3n },
}

export const PETS = {
  whole: { id: 3n, ...NEW_PETS.whole },
  least: { id: 4n, ...NEW_PETS.least },
}
