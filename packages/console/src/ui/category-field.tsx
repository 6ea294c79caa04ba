import { categoryChoices, categoryLabel, readCategoryCounts } from '../category-names.ts'
import { readInt64 } from '../int64.ts'
import { Combobox } from './combobox.tsx'

interface CategoryFieldProps {
  label: string
  value: bigint | undefined
  onChoose: (id: bigint | undefined) => void
  /** The choice that stands for all categories, in a filter. */
  any?: string
  placeholder?: string
  id?: string
  isInvalid?: boolean
  describedBy?: string
  isDisabled?: boolean
  class?: string
}

/** A category by its name. A number is accepted too, with all 64 bits: a category exists as soon as a pet has it. */
export function CategoryField({ value, onChoose, ...rest }: CategoryFieldProps) {
  return (
    <Combobox
      {...rest}
      choices={categoryChoices()}
      value={value === undefined ? undefined : String(value)}
      onChoose={(chosen) => onChoose(chosen === undefined ? undefined : BigInt(chosen))}
      onOpen={() => void readCategoryCounts()}
      other={(typed) => {
        const id = readInt64(typed)
        return typeof id === 'string' ? undefined : { value: String(id), label: categoryLabel(id) }
      }}
    />
  )
}
