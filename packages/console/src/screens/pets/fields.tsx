import type { PetPatch, PetRecord } from '@petstore/client'
import { signal } from '@preact/signals'
import { useEffect, useId, useState } from 'preact/hooks'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { CategoryField } from '../../ui/category-field.tsx'
import { Field } from '../../ui/field.tsx'
import { nameFault } from './pet-name.ts'
import { petOf } from './records.ts'
import { nameOfLast } from './rejections.ts'

const { pets: t, common } = texts

type Save = (patch: PetPatch, ifMatch: bigint, onRejected?: () => void) => Promise<void>

/** The name and the category, each changed where it stands. */
export function EditFields({ pet, save }: { pet: PetRecord; save: Save }) {
  const id = useId()
  return (
    <div class="edits">
      <NameField pet={pet} save={save} />
      <div class="field">
        <label for={id}>{t.category}</label>
        <CategoryField
          id={id}
          class="full"
          label={t.category}
          value={pet.categoryId}
          isDisabled={!can('pets:edit')}
          onChoose={(categoryId) => categoryId !== undefined && void save({ categoryId }, pet.version)}
        />
      </div>
    </div>
  )
}

/** A text that a person has typed, and the value that it is to replace. */
interface Draft {
  text: string
  value: string
}

/** Names by pet. They stay when another pet is opened, or another section. */
const drafts = signal<ReadonlyMap<bigint, Draft>>(new Map())

function NameField({ pet, save }: { pet: PetRecord; save: Save }) {
  const { id, name: value } = pet
  const draft = drafts.value.get(id)
  const setDraft = (next: Draft | undefined) => {
    const others = [...drafts.peek()].filter(([other]) => other !== id)
    drafts.value = new Map(next ? [...others, [id, next]] : others)
  }
  const [fault, setFault] = useState<string>()
  /** Since it was saved or opened. The browser can undo that. */
  const [isTyped, setTyped] = useState(false)
  const isTheirs = draft !== undefined && draft.value !== value
  const discard = () => {
    setDraft(undefined)
    setFault(undefined)
  }
  // What is stored needs no saving: the response of a save may have been lost, or another person had the same idea.
  useEffect(() => {
    if (draft?.text === value) discard()
  }, [value])
  const type = (text: string) => {
    setFault(undefined)
    setTyped(true)
    if (text === value && !isTheirs) setDraft(undefined)
    else setDraft({ value, ...draft, text })
  }
  const submit = async () => {
    if (!draft) return
    const found = nameFault(draft.text)
    setFault(found)
    if (found !== undefined) return
    discard()
    setTyped(false)
    const restore = () => {
      // More may have been typed meanwhile; and its event may have come, although its response was lost.
      const text = drafts.peek().get(id)?.text ?? draft.text
      if (text !== petOf(id)?.name) setDraft({ ...draft, text })
    }
    // On the version that is shown: a change of another user stands below what was typed.
    await save({ name: draft.text }, pet.version, restore)
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
        label={t.name}
        value={draft?.text ?? value}
        disabled={!can('pets:edit')}
        data-saved={draft === undefined && !isTyped}
        fault={fault}
        hint={isTheirs ? t.panel.theirs(nameOfLast(id, 'name'), value) : draft && t.panel.unsaved}
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
