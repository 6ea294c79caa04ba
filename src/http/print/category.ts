import type { Category, CategoryPage, PetCounts } from '../../domain/types/category.ts'
import { petCountsJson } from './pet.ts'

/** What `Category` describes. */
export function categoryJson({ id, name, version, pets }: Category & { pets?: PetCounts | undefined }) {
  const start = `{"id":${id},"name":${JSON.stringify(name)},"version":${version}`
  return pets ? `${start},"pets":${petCountsJson(pets)}}` : `${start}}`
}

export function categoryPageJson({ categories }: CategoryPage) {
  return `[${categories.map(categoryJson).join()}]`
}
