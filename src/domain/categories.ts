import type { Caller } from '../lib/batch.ts'
import { INT64_MIN } from '../lib/int64.ts'
import { keepNewest } from '../lib/keep-newest.ts'
import { NameReader } from '../lib/name-reader.ts'
import { foldedText, wordsOf } from '../lib/words.ts'
import { pageOf } from '../storage/categories/categories.ts'
import type { CategoryName } from '../storage/categories/changes.ts'
import type { Condition } from '../storage/postgres/conditions.ts'
import { DomainError } from './errors.ts'
import type { Store } from './store.ts'
import type { Category, CategoryPage } from './types/category.ts'

type Categories = Pick<Store, 'categories'>

/** Names are searched in all records at once, so there must not be more. */
const MAX_SEARCHED = 1_000

export interface CategoryOptions {
  /** Each begins a word of the name. */
  terms?: readonly string[] | undefined
  /** The id with which the page begins. */
  from?: bigint | undefined
  limit: number
  /** Whether to count the pets of each category. */
  counts?: boolean | undefined
}

/** One page of a walk by ascending id: each record that exists and matches during the whole walk is met exactly once. */
export async function listCategories(
  { categories, pets }: Pick<Store, 'categories' | 'pets'>,
  { terms, from = INT64_MIN, limit, counts }: CategoryOptions,
  caller?: Caller,
): Promise<CategoryPage> {
  const page = terms
    ? pageOf(await search({ categories }, terms, from, caller), limit)
    : await categories.list({ from, limit }, caller)
  if (!counts || page.categories.length === 0) return page
  const ids = page.categories.map(({ id }) => BigInt(id))
  const counted = await pets.countEach(ids, caller)
  return { ...page, categories: page.categories.map((category, i) => ({ ...category, pets: counted[i] })) }
}

async function search(store: Categories, terms: readonly string[], from: bigint, caller?: Caller) {
  const all = await readAll(store, caller)
  const names = await readNames(all)
  return all.filter(({ id }, i) => BigInt(id) >= from && hasAll(names[i]?.words ?? [], terms))
}

function hasAll(words: readonly string[], terms: readonly string[]) {
  return terms.every((term) => words.some((word) => word.startsWith(term)))
}

async function readAll({ categories }: Categories, caller?: Caller) {
  const { categories: all, next } = await categories.list({ from: INT64_MIN, limit: MAX_SEARCHED }, caller)
  if (next !== undefined) throw tooManyCategories()
  return all
}

export function tooManyCategories() {
  return new DomainError(
    'too_many_categories',
    'There are more than 1,000 categories with a name, too many to search. Use the id of the category.',
  )
}

// Every search reads the same names again, and their words cost more than the rest of it.
const MAX_KNOWN = 2 * MAX_SEARCHED
const known = new Map<string, ReadName>()

/** A name in the forms in which it is compared: its words, and the whole of it. */
interface ReadName {
  words: readonly string[]
  whole: string
}

async function readNames(categories: readonly Category[]) {
  const reader = new NameReader()
  const names: ReadName[] = []
  for (const { name } of categories) names.push(known.get(name) ?? (await learn(name, reader)))
  return names
}

async function learn(name: string, reader: NameReader): Promise<ReadName> {
  const read = { words: await reader.wordsOf(name), whole: foldedText(name) }
  keepNewest(known, name, read, MAX_KNOWN)
  return read
}

const MAX_CANDIDATES = 5

/**
 * The records that a name may stand for: one if exactly one record has this name, in any case and with or without accents. If none has
 * it, those that share the beginning of a word with it; if several have it, these. A few of them.
 */
export async function findByName(
  store: Categories,
  name: string,
  caller?: Caller,
): Promise<{ category: Category } | { isKnown: boolean; candidates: readonly Category[] }> {
  const all = await readAll(store, caller)
  const names = await readNames(all)
  const [whole, wanted] = [foldedText(name), wordsOf(name)]
  const same = all.filter((_, i) => names[i]?.whole === whole)
  const [category] = same
  if (category && same.length === 1) return { category }
  const isKnown = category !== undefined
  const candidates = isKnown ? same : all.filter((_, i) => sharesBeginning(names[i]?.words ?? [], wanted))
  return { isKnown, candidates: candidates.slice(0, MAX_CANDIDATES) }
}

function sharesBeginning(words: readonly string[], others: readonly string[]) {
  return words.some((word) => others.some((other) => word.startsWith(other) || other.startsWith(word)))
}

/** Gives a category its name. Returns the version of the record, and whether there was none before. */
export async function putCategory(
  { categories }: Categories,
  category: CategoryName,
  condition: Condition,
  caller?: Caller,
) {
  const { id } = category
  const result = await categories.put(category, condition, caller)
  if (result.outcome === 'missing') throw noVersion(id)
  if (result.outcome === 'mismatch') throw versionMismatch(id, result.version, condition)
  return { version: result.version, isNew: result.outcome === 'added' }
}

export async function deleteCategory({ categories }: Categories, id: bigint, condition: Condition, caller?: Caller) {
  const result = await categories.remove(id, condition, caller)
  if (result.outcome === 'missing') throw categoryNotFound(id)
  if (result.outcome === 'mismatch') throw versionMismatch(id, result.version, condition)
}

/** Also for an id that no category can have, as the client sent it. */
export function categoryNotFound(id: bigint | string) {
  return new DomainError('category_not_found', `No category with the id ${id} has a name.`)
}

/** Of a category that is to get a name, only an id that it cannot have is not found. */
export function notACategory(id: bigint | string) {
  return new DomainError('category_not_found', `No category can have the id ${id}: it is not a 64-bit integer.`)
}

export function versionMismatch(id: bigint, version: bigint, condition: Condition) {
  const expected = typeof condition === 'object' ? condition : []
  return new DomainError('version_mismatch', { kind: 'other version', of: 'category', id, version, expected })
}

function noVersion(id: bigint) {
  return new DomainError(
    'version_mismatch',
    `No category with the id ${id} has a name, so no version matches. Send the request without If-Match to give it one.`,
  )
}
