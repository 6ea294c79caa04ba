import { categoryLabel, categoryName } from '../category-names.ts'
import { href } from '../router.ts'

/** A name leads; the id is beside it, small. `isRow`: the link of a row in a list. */
export function Named({ name, id, path, isRow = false }: { name: string; id: bigint; path: string; isRow?: boolean }) {
  return (
    <span class="named">
      <a href={href(path)} dir="auto" data-row={isRow ? String(id) : undefined}>
        {name}
      </a>
      <span class="id">{String(id)}</span>
    </span>
  )
}

/** A category by its name; one without a name by its number. */
export function Chip({ category }: { category: bigint }) {
  const text = categoryLabel(category)
  return (
    <span class={categoryName(category) === undefined ? 'chip unnamed' : 'chip'} title={text}>
      <bdi>{text}</bdi>
    </span>
  )
}
