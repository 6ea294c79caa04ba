import type { SearchPage, SearchPlace, View } from '../../domain/types/pet.ts'
import { NameReader } from '../../lib/name-reader.ts'
import { compareBytes, lengthToRead, matchOf } from '../../lib/words.ts'
import { READERS, type StoredPet } from '../pets/pet-rows.ts'
import { valueAt } from '../postgres/columns.ts'
import {
  type EntriesRow,
  type Filter,
  type FilteredRow,
  MAX_ENTRIES,
  MAX_NAME_LENGTH,
  type Range,
} from './statements.ts'
import { foundPercent, type Left } from './word-ranges.ts'

/** A part of a search: up to `limit` pets that have, for each term, a word that begins with it, after the place `after`. */
export interface SearchRequest extends Filter {
  terms: readonly string[]
  view: View
  after?: SearchPlace | undefined
  limit: number
}

// The first round reads more than a page, since a pet may have two words that begin alike; each other one more than the one before.
const [FIRST_ROUND, GROWTH] = [2, 4]

interface Match {
  pet: StoredPet
  word: string
}

/** How a page is read: through the words of a term, or through the pets of the filter, unless they are too many to be read for one page. */
export interface Choice {
  walk: SearchPlace['walk']
  /** The term whose words are read in that case. */
  otherwise: number
}

/** A page on its way: rounds fill it until it is full, has cost enough, or nothing is left. */
export class Searching {
  readonly request: SearchRequest
  isDone = false
  /** How many entries of pets were read that are deleted, or have another name now. */
  stale = 0
  #walk: SearchPlace['walk']
  readonly #otherwise: number
  #left: Left | undefined
  #found: Match[] = []
  #after: { word: string; id: bigint }
  #count: number
  #entries = MAX_ENTRIES
  readonly #names = new NameReader()
  #isAtEnd = false

  constructor(request: SearchRequest, { walk, otherwise }: Choice) {
    this.request = request
    this.#walk = walk
    this.#otherwise = otherwise
    this.#count = FIRST_ROUND * request.limit
    this.#after = this.#start
  }

  get isFiltered() {
    return this.#walk === 'filter'
  }

  /** The term whose words are the order of the walk. */
  get #term() {
    return valueAt(this.request.terms, this.#walk === 'filter' ? 0 : this.#walk)
  }

  get #start() {
    return this.request.after ?? { word: this.#term, id: 0n }
  }

  /** Only the first statement of a page counts: words that are made after it come too late for the search. */
  noteLeft({ left, last }: { left: number | null; last: number }) {
    if (left !== null) this.#left ??= { left, last }
  }

  /** All pets of the filter. */
  async readFiltered({ isWhole, ...row }: FilteredRow) {
    this.noteLeft(row)
    const { terms, view } = this.request
    const pets = isWhole ? READERS[view](row) : []
    // Bytes say little of some names.
    if (!isWhole || pets.reduce((sum, { name }) => sum + lengthToRead(name), 0) > MAX_NAME_LENGTH) {
      this.#walk = this.#otherwise
      this.#after = this.#start
      return
    }
    const after = this.request.after && { word: this.request.after.word, id: this.request.after.id }
    const words = await this.#names.wordsOfEach(pets.map(({ name }) => name))
    const matches = pets.flatMap((pet, i) => {
      const word = matchOf(valueAt(words, i), terms, this.#term)
      return word === undefined ? [] : { pet, word }
    })
    this.#found = matches
      .filter((match) => !after || compare(placeOf(match), after) > 0)
      .toSorted((a, b) => compare(placeOf(a), placeOf(b)))
    this.#isAtEnd = true
    this.isDone = true
  }

  /** What the next round has to read. */
  get range(): Range {
    const { status, categoryId } = this.request
    return { term: this.#term, after: this.#after, count: this.#count, status, categoryId }
  }

  async readEntries(row: EntriesRow) {
    const { limit, view } = this.request
    const words = row.words ?? []
    this.noteLeft(row)
    this.stale += row.read - row.existing
    for (const [i, pet] of READERS[view](row).entries()) {
      const word = valueAt(words, i)
      this.#match(pet, word, await this.#names.wordsOf(pet.name))
      if (this.#found.length > limit || this.#names.length >= MAX_NAME_LENGTH) {
        this.#after = { word, id: BigInt(pet.id) }
        this.isDone = true
        return
      }
    }
    if (row.lastWord !== null && row.lastId !== null) this.#after = { word: row.lastWord, id: row.lastId }
    this.#isAtEnd = row.read < this.#count
    this.#entries -= row.read
    this.#count = Math.min(GROWTH * this.#count, this.#entries)
    this.isDone = this.#isAtEnd || this.#count === 0
  }

  /** A pet is found once, by the first of its words that begin with the term. It is not found by a word that its name has no longer. */
  #match(pet: StoredPet, word: string, words: readonly string[]) {
    const match = matchOf(words, this.request.terms, this.#term)
    if (match === word) this.#found.push({ pet, word })
    else if (!words.includes(word)) this.stale++
  }

  get page(): SearchPage {
    const { limit } = this.request
    const shown = this.#found.slice(0, limit)
    const page = { pets: shown.map(({ pet }) => pet), foundPercent: this.#left && foundPercent(this.#left) }
    const last = this.#found.length > limit ? shown.at(-1) : undefined
    if (last) return { ...page, next: { walk: this.#walk, ...placeOf(last) } }
    return this.#isAtEnd ? page : { ...page, next: { walk: this.#walk, ...this.#after } }
  }
}

function placeOf({ pet, word }: Match) {
  return { word, id: BigInt(pet.id) }
}

/** As the index has them. */
function compare(a: { word: string; id: bigint }, b: { word: string; id: bigint }) {
  return a.word === b.word ? Number(a.id - b.id) : compareBytes(a.word, b.word)
}
