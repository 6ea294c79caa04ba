import type { Category } from '@petstore/client'
import { signal } from '@preact/signals'
import { categories } from './api.ts'
import { formatNumber } from './format.ts'
import { createNames } from './names.ts'
import { seen } from './seen.ts'
import { can } from './session.ts'
import { texts } from './texts.ts'
import type { Choice } from './ui/choices.ts'

/** More categories than these have only their numbers. */
const MOST = 1_000
/** Counts cost more than names: a page of 20 each. */
const MOST_COUNTED = 100

const names = createNames(async () => {
  await seen()
  const found: (readonly [bigint, string])[] = []
  for await (const { id, name } of categories.list()) if (found.push([id, name]) === MOST) break
  return found
})

/** Undefined if it has none, or while it is unknown. */
export const categoryName = (id: bigint) => (can('pets:read') ? names.get(id) : undefined)

/** Its name, else its number. */
export const categoryLabel = (id: bigint) => categoryName(id) ?? texts.common.unnamedCategory(id)

/** After a category was named, renamed or removed. @public */
export const refreshCategories = names.refresh

/** Pets of each status are counted up to this number. */
const COUNTED = 100

/** `140`, or `140+` if there are more than were counted. */
export const sum = (...counts: number[]) =>
  formatNumber(counts.reduce((a, b) => a + b, 0)) + (counts.some((n) => n >= COUNTED) ? '+' : '')

export const petsOf = ({ pets }: Category) => pets && sum(pets.available, pets.pending, pets.sold, pets.none)

/** How many pets each category has, by its id. */
const counts = signal<ReadonlyMap<bigint, string | undefined>>(new Map())

/** For a combobox: all categories by name, with their counts once `readCategoryCounts` has read them. */
export const categoryChoices = (): Choice[] =>
  [...names.all.value]
    .map(([id, name]) => ({
      value: String(id),
      label: name,
      id: String(id),
      number: texts.common.unnamedCategory(id),
      count: counts.value.get(id),
    }))
    .toSorted((a, b) => a.label.localeCompare(b.label))

/** Counts are not read again before they are this old. */
const FRESH_MS = 10_000
let countedAt = Number.NEGATIVE_INFINITY

/** When the list of a combobox is opened. Names that are known are there at once, the counts a moment later. */
export async function readCategoryCounts() {
  if (!can('pets:read') || Date.now() - countedAt < FRESH_MS) return
  countedAt = Date.now()
  void names.refresh()
  const found = new Map<bigint, string | undefined>()
  try {
    for await (const category of categories.list({ counts: true }))
      if (found.set(category.id, petsOf(category)).size === MOST_COUNTED) break
  } catch {
    // Names without counts are enough to choose.
    countedAt = Number.NEGATIVE_INFINITY
  }
  counts.value = found
}
