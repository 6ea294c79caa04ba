import type { sentence } from './texts/activity.ts'

/** A sentence with places for names: `{who} renamed {pet} to {to}`. */
interface EventWords {
  template: string
  /** What stands in its places, but for `who`, which depends on who reads it. */
  values: Partial<Record<'pet' | 'from' | 'to' | 'for' | 'what', string>>
}

/** What is read of an event of the API. */
interface Said {
  type: string
  data: {
    pet?: { name: string; categoryId: bigint; status?: string } | undefined
    order?: { reference?: string } | undefined
    changed?: readonly string[]
    previous?: { name?: string; categoryId?: bigint }
    added?: bigint | undefined
  }
}

interface Names {
  category: (id: bigint) => string
  status: (status: string | null | undefined) => string
}

/** What an event says, as a person would say it. Without `previous`, which earlier versions did not store, it says less. */
export function wordsOf(event: Said, t: typeof sentence, names: Names): EventWords {
  const { type, data } = event
  const pet = data.pet?.name
  if (data.added !== undefined) return { template: t.imported, values: { what: t.pets(data.added) } }
  if (type === 'pet.updated') return updated(event, t, names)
  const reference = data.order?.reference
  const plain = (t.types as Record<string, string>)[type]
  const forWhom = (t.typesFor as Record<string, string>)[type]
  if (forWhom !== undefined && reference !== undefined)
    return { template: forWhom, values: { pet: pet ?? '', for: reference } }
  if (plain === undefined) return { template: t.other, values: { pet: pet ?? '', what: type } }
  return { template: plain, values: { pet: pet ?? '' } }
}

function updated({ data }: Said, t: typeof sentence, names: Names): EventWords {
  const { pet, changed = [], previous } = data
  const [field] = changed
  if (!pet || field === undefined) return { template: t.changed, values: { pet: pet?.name ?? '' } }
  if (changed.length > 1) {
    const fields = changed.map((name) => t.fields[name as keyof typeof t.fields] ?? name)
    const what = [fields.slice(0, -1).join(', '), fields.at(-1)].join(t.and)
    return { template: t.changedFields, values: { pet: pet.name, what } }
  }
  if (field === 'name') {
    return previous?.name === undefined
      ? { template: t.renamedTo, values: { to: pet.name } }
      : { template: t.renamed, values: { pet: previous.name, to: pet.name } }
  }
  if (field === 'categoryId') {
    const to = names.category(pet.categoryId)
    return previous?.categoryId === undefined
      ? { template: t.movedTo, values: { pet: pet.name, to } }
      : { template: t.moved, values: { pet: pet.name, from: names.category(previous.categoryId), to } }
  }
  if (field === 'status') {
    return pet.status === undefined
      ? { template: t.unmarked, values: { pet: pet.name } }
      : { template: t.marked, values: { pet: pet.name, to: names.status(pet.status) } }
  }
  return { template: t.changedFields, values: { pet: pet.name, what: field } }
}
