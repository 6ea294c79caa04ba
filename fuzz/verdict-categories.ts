import { type Json, Literal } from './oracle/json.ts'
import { canonicalInt64 } from './oracle/new-pet.ts'
import { asciiWords, foundBy } from './oracle/words.ts'
import { sentIn } from './request.ts'
import { nextPage, type Shown, startOf } from './shown.ts'
import type { Store } from './store.ts'

const FIELDS = ['id', 'name', 'version', 'pets']
const STATUSES = ['available', 'pending', 'sold', 'none']
const MAX_COUNT = 1_000

interface Category {
  id: bigint
  name: string
  version: bigint
  hasCounts: boolean
}

/** The Category that a response shows; undefined when a field is missing, too many, or not in the one form it is written in. */
function asCategory(value: Json | undefined): Category | undefined {
  if (!(value instanceof Map) || ![...value.keys()].every((key) => FIELDS.includes(key))) return undefined
  const [id, version] = [integerOf(value.get('id')), integerOf(value.get('version'))]
  const [name, pets] = [value.get('name'), value.get('pets')]
  if (id === undefined || version === undefined || version < 1n || typeof name !== 'string') return undefined
  if (value.has('pets') && !areCounts(pets)) return undefined
  return { id, name, version, hasCounts: value.has('pets') }
}

function areCounts(value: Json | undefined) {
  if (!(value instanceof Map) || [...value.keys()].join() !== STATUSES.join()) return false
  return [...value.values()].map(integerOf).every((count) => count !== undefined && count >= 0n && count <= MAX_COUNT)
}

function integerOf(value: Json | undefined) {
  return value instanceof Literal ? canonicalInt64(value.text) : undefined
}

/** The name that was sent, with its version: 1 where there was none before. */
export function checkCategory({ request, parameter, value, response, store }: Shown) {
  const category = asCategory(value)
  const sent = sentIn(request)
  const isSent = sent instanceof Map && category?.name === sent.get('name')
  if (!category || !isSent || category.hasCounts || category.id !== canonicalInt64(parameter))
    return `a ${response.status} that is not the category that was sent: ${startOf(response.body)}`
  const tag = response.headers.get('etag')
  if (tag !== `"${category.version}"`) return `${response.status}: ETag is ${tag}, not "${category.version}"`
  const before = store.categories.last(category.id)
  store.categories.keep(category.id, { name: category.name, version: category.version })
  if (response.status === 201)
    return category.version === 1n && !before
      ? undefined
      : `201: the version ${category.version}, after ${before?.name}`
  if (before === null) return `200: the category ${category.id} had no name`
  const due = before && (before.name === category.name ? before.version : before.version + 1n)
  return due === undefined || due === category.version ? undefined : `200: the version ${category.version}, not ${due}`
}

/** A 204. */
export function checkNameless(parameter: string, store: Store) {
  const id = canonicalInt64(parameter)
  if (id === undefined) return `the category ${parameter} was deleted`
  const before = store.categories.last(id)
  store.categories.keep(id, null)
  return before === null ? `the name of the category ${id} was deleted twice` : undefined
}

/** A page contains what was asked for, each record once, by ascending id; a list that is whole lacks none that has its name. */
export function checkCategories({ search, response, value, store, sentAt }: Shown) {
  const categories = Array.isArray(value) ? value.map(asCategory) : undefined
  if (!categories?.every((category) => category !== undefined))
    return `a list with an item that is not a category: ${startOf(response.body)}`
  const counts = search.get('counts') === 'true'
  if (categories.some(({ hasCounts }) => hasCounts !== counts))
    return `categories that are ${counts ? 'not ' : ''}counted: ${startOf(response.body)}`
  if (categories.length > search.limit) return `${categories.length} categories with a limit of ${search.limit}`
  if (categories.some(({ id }, i) => i > 0 && id <= (categories[i - 1]?.id ?? id)))
    return 'a list of categories that is out of order or contains one twice'
  const text = search.get('name')
  const other = text === undefined ? undefined : categories.find(({ name }) => foundBy(name, text) === null)
  if (other) return `a search for ${text} finds the category ${other.id}, whose name has other words`
  const next = nextPage(response)
  if (next === undefined && response.headers.has('link')) return `Link is ${response.headers.get('link')}`
  if (next !== undefined && categories.length < search.limit) return 'a page that is not full has a next link'
  if (next !== undefined) store.keepCursor(next)
  const isWhole = next === undefined && search.get('cursor') === undefined
  const missing = store.categories.allSeen(sentAt).find(({ id, name }) => {
    const isDue = text === undefined || (asciiWords(text) && typeof foundBy(name, text) === 'string')
    return isWhole && isDue && !categories.some((category) => category.id === id)
  })
  if (missing) return `a list of categories lacks ${missing.id}`
  const stale = categories.find(({ id, name, version }) => {
    const known = store.categories.seen(id, sentAt)
    return known === null || (known && (known.name !== name || known.version !== version))
  })
  return stale && `the category ${stale.id} does not read back as it is: ${startOf(response.body)}`
}
