// The bodies that the document shows. A test sends what leads to each, and expects the response as it is written here.

import { encodeCursor } from '../wire/cursor.ts'

export const CURSOR = encodeCursor('categories', 8n)

const DOG = { id: 7n, name: 'Dog', version: 1n }
const CAT = { id: 8n, name: 'Cat', version: 2n }

export const DOGS = { ...DOG, pets: { available: 1, pending: 0, sold: 2, none: 0 } }

export const PAGES = { page: [DOG, CAT], empty: [], counts: [DOGS] }

export const NEW_CATEGORIES = { dog: { name: 'Dog' } }
export const ADDED = { dog: DOG }
export const RENAMED = { dog: { ...DOG, version: 2n } }
