import type { Category } from '@petstore/client'
import { useState } from 'preact/hooks'
import { categories, explain, hasCode } from '../api.ts'
import { readInt64 } from '../int64.ts'
import { texts } from '../later-texts.ts'
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
async function read(id: bigint) {
  for await (const category of categories.list()) if (category.id === id) return category
  return undefined
}

/** The number after the largest one. */
const nextId = (known: readonly Category[]) => known.reduce((most, { id }) => (id > most ? id : most), 0n) + 1n

export function CategoryForm({ category, known, onSaved, onClose }: FormProps) {
  const [name, setName] = useState(category?.name ?? '')
  const [typedId, setTypedId] = useState(() => String(category?.id ?? nextId(known)))
  const [version, setVersion] = useState(category?.version)
  const [faults, setFaults] = useState<{ name?: string; id?: string }>({})
  const [isBusy, setBusy] = useState(false)

  const save = async (id: bigint) => {
    if (!category) {
      const other = await read(id)
      if (other) return setFaults({ id: t.taken(id, other.name) })
    }
    try {
      const { name: saved } = await categories.put(id, name.trim(), { ifMatch: version })
      onSaved(category ? t.renamed(saved) : t.added(saved))
    } catch (error) {
      if (!hasCode(error, 'version_mismatch')) throw error
      const now = await read(id)
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
