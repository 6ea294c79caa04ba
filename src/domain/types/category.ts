import type { Int64 } from './pet.ts'

/** The record of a category: its name. */
export interface Category {
  id: Int64
  name: string
  version: Int64
}

/** How many pets a category has of each status, and how many without one. A count stops at `MAX_COUNT_EACH`. */
export interface PetCounts {
  available: number
  pending: number
  sold: number
  none: number
}

export interface CategoryPage {
  readonly categories: readonly (Category & { pets?: PetCounts | undefined })[]
  /** The id with which the next page begins; absent on the last page. */
  readonly next?: bigint | undefined
}
