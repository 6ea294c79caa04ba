import type { Category } from '@petstore/client'
import { useRef, useState } from 'preact/hooks'
import { categories, explain, hasCode, isUncertain } from '../api.ts'
import { readInt64 } from '../int64.ts'
import { texts } from '../manage-texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'

const { categories: t, common } = texts

interface FormProps {
  /** The one to rename; a new one if there is none. */
  category: Category | undefined
  known: readonly Category[]
  onSaved: (text: string) => void
  onClose: () => void
}

/** As it is now; undefined if it has no name. */
export async function readCategory(id: bigint) {
  for await (const category of categories.list()) if (category.id === id) return category
  return undefined
}

async function readAll() {
  const all: Category[] = []
  for await (const category of categories.list()) all.push(category)
  return all
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The number after the largest one. */
const nextId = (known: readonly Category[]) => known.reduce((most, { id }) => (id > most ? id : most), 0n) + 1n

export function CategoryForm({ category, known, onSaved, onClose }: FormProps) {
  const [name, setName] = useState(category?.name ?? '')
  const [typedId, setTypedId] = useState(() => String(category?.id ?? nextId(known)))
  const [version, setVersion] = useState(category?.version)
  const [faults, setFaults] = useState<{ name?: string; id?: string }>({})
  const [isBusy, setBusy] = useState(false)
  /** The number of the category that may have been added, although no response said so. */
  const lost = useRef<bigint>(undefined)
  const wanted = name.trim()
  const done = () => onSaved(category ? t.renamed(wanted) : t.added(wanted))

  /** Whether it is still to be added: two of one name look the same. */
  const isNew = async (id: bigint) => {
    const all = await readAll()
    const [holder, namesake] = [all.find((one) => one.id === id), all.find((one) => isSame(one.name, wanted))]
    if (holder && holder === namesake && id === lost.current) done()
    else if (holder) setFaults({ id: t.taken(id, holder.name, nextId(all)) })
    else if (namesake) setFaults({ name: t.nameTaken(namesake.name, namesake.id) })
    else return true
    return false
  }
  const save = async (id: bigint) => {
    if (!category && !(await isNew(id))) return
    try {
      await categories.put(id, wanted, version === undefined ? { ifNoneMatch: '*' } : { ifMatch: version })
      done()
    } catch (error) {
      const isLost = isUncertain(error)
      if (!isLost && !hasCode(error, 'version_mismatch')) throw error
      if (isLost) lost.current = id
      const now = await readCategory(id)
      if (now?.name === wanted) return done()
      if (isLost) throw error
      // Another person has named this number since it was looked up.
      if (!category) return void (await isNew(id))
      // Saved again, it replaces what the person has just been shown.
      setVersion(now?.version)
      setFaults({ name: now ? t.renamedMeanwhile(now.name) : t.removedMeanwhile })
    }
  }
  const submit = async () => {
    const id = readInt64(typedId)
    if (typeof id === 'string') return setFaults({ id: common.int64[id] })
    if (isBusy) return
    setBusy(true)
    setFaults({})
    await save(id).catch((error: unknown) => setFaults({ name: explain(error) }))
    setBusy(false)
  }
  return (
    <Dialog title={category ? t.renameTitle(category.name) : t.add} onClose={onClose}>
      <Form action={category ? common.save : common.add} isBusy={isBusy} onSubmit={submit} onCancel={onClose}>
        <Field
          label={t.name}
          fault={faults.name}
          dir="auto"
          value={name}
          autofocus
          onInput={(event) => setName(event.currentTarget.value)}
        />
        {!category && (
          <Field
            label={t.id}
            hint={t.idHint}
            fault={faults.id}
            inputmode="numeric"
            value={typedId}
            onInput={(event) => setTypedId(event.currentTarget.value)}
          />
        )}
      </Form>
    </Dialog>
  )
}
