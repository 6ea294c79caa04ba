import type { PetPatch, PetRecord } from '@petstore/client'
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { readInt64 } from '../../int64.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Field } from '../../ui/field.tsx'
import { nameFault } from './pet-name.ts'

const { pets: t, common } = texts

type Save = (patch: PetPatch, ifMatch: bigint, onRejected: () => void) => Promise<void>

/** The name and the category, each changed where it stands. */
export function EditFields({ pet, save }: { pet: PetRecord; save: Save }) {
  return (
    <div class="edits">
      <EditField
        pet={pet}
        label={t.name}
        value={pet.name}
        read={(text) => nameFault(text) ?? { name: text }}
        save={save}
      />
      <EditField
        pet={pet}
        label={t.category}
        value={String(pet.categoryId)}
        isNumber
        read={(text) => {
          const categoryId = readInt64(text)
          return typeof categoryId === 'string' ? common.int64[categoryId] : { categoryId }
        }}
        save={save}
      />
    </div>
  )
}

interface EditFieldProps {
  pet: PetRecord
  label: string
  value: string
  isNumber?: boolean
  /** The change that the text means, or what is wrong with it. */
  read: (text: string) => PetPatch | string
  save: Save
}

/** A text that a person has typed, and the value that it is to replace. */
interface Draft {
  text: string
  value: string
}

/** Drafts by pet and field. They stay when another pet is opened, or another section. */
const drafts = signal<ReadonlyMap<string, Draft>>(new Map())

function EditField({ pet, label, value, isNumber = false, read, save }: EditFieldProps) {
  const key = `${label} ${pet.id}`
  const draft = drafts.value.get(key)
  const setDraft = (next: Draft | undefined) => {
    const others = [...drafts.peek()].filter(([other]) => other !== key)
    drafts.value = new Map(next ? [...others, [key, next]] : others)
  }
  const [fault, setFault] = useState<string>()
  const isTheirs = draft !== undefined && draft.value !== value
  const discard = () => {
    setDraft(undefined)
    setFault(undefined)
  }
  const type = (text: string) => {
    setFault(undefined)
    if (text === value && !isTheirs) setDraft(undefined)
    else setDraft({ value, ...draft, text })
  }
  const submit = async () => {
    if (!draft) return
    const patch = read(draft.text)
    if (typeof patch === 'string') {
      setFault(patch)
      return
    }
    discard()
    // More may have been typed meanwhile.
    const restore = () => setDraft({ ...draft, text: drafts.peek().get(key)?.text ?? draft.text })
    // On the version that is shown: a change of another user stands below what was typed.
    await save(patch, pet.version, restore)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // The buttons go.
        event.currentTarget.querySelector('input')?.focus()
        void submit()
      }}
    >
      <Field
        label={label}
        value={draft?.text ?? value}
        class={isNumber ? 'number' : ''}
        inputMode={isNumber ? 'numeric' : 'text'}
        disabled={!can('pets:edit')}
        data-saved={draft === undefined}
        fault={fault}
        hint={isTheirs ? t.panel.theirs(value) : draft && t.panel.unsaved}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !draft) return
          event.preventDefault() // the next one closes the panel
          discard()
        }}
      />
      {draft && (
        <div class="row">
          <button type="submit" class="primary">
            {common.save}
          </button>
          <button
            type="button"
            onClick={(event) => {
              event.currentTarget.form?.querySelector('input')?.focus()
              discard()
            }}
          >
            {common.cancel}
          </button>
        </div>
      )}
    </form>
  )
}
