export type PetStatus = 'available' | 'pending' | 'sold'

/** A 64-bit integer; one that is only printed stays the digits that PostgreSQL wrote. */
export type Int64 = bigint | string

/** What takes the place of a name that is erased. */
export const ERASED_NAME = '(erased)'

export interface NewPet {
  name: string
  categoryId: bigint
  status?: PetStatus | undefined
}

export interface Pet {
  id: Int64
  name: string
  categoryId: Int64
  status?: PetStatus | undefined
}

/** A pet with its version, which is its ETag, and the order that holds it. */
export interface PetRecord extends Pet {
  version: Int64
  heldBy?: Int64 | undefined
}

/** What is shown of each pet of a list: what every client sees, or also what is needed to change it. */
export type View = 'basic' | 'full'

/** The direction of a walk. */
export type Sort = 'oldest' | 'newest'

/** A part of a walk. Equal requests that arrive together share one. */
export interface PetPage {
  readonly pets: readonly (Pet | PetRecord)[]
  /** The id after which the next page begins; absent on the last page. */
  readonly next?: bigint
}

/** A place in a search: after this word of this pet. */
export interface SearchPlace {
  /** Through the words that begin with the term of this number, or through the pets of the category and status. */
  walk: number | 'filter'
  word: string
  id: bigint
}

/** A part of a search. It may have fewer pets than asked for, even none, and still have a next one. */
export interface SearchPage {
  readonly pets: readonly (Pet | PetRecord)[]
  readonly next?: SearchPlace
  /** How many of 100 pets the search could find; undefined if all. */
  readonly foundPercent?: number | undefined
}
