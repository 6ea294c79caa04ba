import { categoryLabel, categoryName } from '../category-names.ts'
import { href } from '../router.ts'

interface NamedProps {
  name: string
  id: bigint
  path: string
  /** The id in words, where it could be taken for a count. */
  number?: string
  /** The link of a row in a list. */
  isRow?: boolean
}

/** A name leads; the id is beside it, small. */
export function Named({ name, id, path, number = String(id), isRow = false }: NamedProps) {
  return (
    <span class="named">
      <a href={href(path)} dir="auto" data-row={isRow ? String(id) : undefined}>
        {name}
      </a>
      <span class="id">{number}</span>
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
