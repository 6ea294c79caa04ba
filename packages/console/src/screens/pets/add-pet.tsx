import type { PetStatus } from '@petstore/client'
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import { explain, hasCode, pets } from '../../api.ts'
import { go, place, withQuery } from '../../router.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { CategoryField } from '../../ui/category-field.tsx'
import { NoScope } from '../../ui/contact.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { PET_STATUSES, Status } from '../../ui/status.tsx'
import { notify } from '../../ui/toast.tsx'
import { nameFault } from './pet-name.ts'
import { added } from './records.ts'

const { addForm: t } = texts.pets

/** The form to add a pet. */
export function AddPet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t.title} onClose={onClose}>
      {can('pets:write') ? (
        <AddForm onCancel={onClose} />
      ) : (
        <p>
          <NoScope scope="pets:write" />
        </p>
      )}
    </Dialog>
  )
}

interface Faults {
  name?: string | undefined
  category?: string | undefined
  form?: string
}

function AddForm({ onCancel }: { onCancel: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<Faults>({})
  const [categoryId, setCategory] = useState<bigint>()
  const id = useId()
  /** `add=Momo` begins with a name, as of a pet that was not found. */
  const asked = place.value.query.get('add')
  const isBusy = useRef(false)
  // One for as long as the form is open: however often it is sent, it adds one pet.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [])
  const submit = async () => {
    if (!form.current || isBusy.current) return
    const data = new FormData(form.current)
    const text = (field: string) => data.getAll(field).find((value) => typeof value === 'string') ?? ''
    const name = text('name')
    const status = PET_STATUSES.find((known) => known === text('status'))
    const found = { name: nameFault(name), category: categoryId === undefined ? t.categoryMissing : undefined }
    setFaults(found)
    if (found.name !== undefined || categoryId === undefined) {
      form.current.querySelector<HTMLElement>(found.name === undefined ? '[role=combobox]' : '[name=name]')?.focus()
      return
    }
    isBusy.current = true
    try {
      const pet = await pets.create({ name, categoryId, ...(status && { status }) }, { idempotencyKey })
      added.value = { ...pet, version: 1n }
      notify(t.added(pet.name, pet.id))
      // The person may have closed the form meanwhile, and be elsewhere.
      if (!form.current) return
      // Over its list, if that is where the form was opened.
      const isList = place.value.path === '/pets'
      go(isList ? withQuery({ add: undefined, pet: String(pet.id) }) : `/pets?pet=${pet.id}`, { replace: isList })
    } catch (error) {
      const fault = hasCode(error, 'idempotency_key_reused') ? t.alreadyAdded : explain(error, { withRequestId: true })
      if (form.current) setFaults({ form: fault })
      else notify(fault, { isError: true })
    }
    isBusy.current = false
  }
  return (
    <Form form={form} action={texts.common.add} onSubmit={submit} onCancel={onCancel}>
      <Field
        label={texts.pets.name}
        name="name"
        hint={t.nameHint}
        fault={faults.name}
        defaultValue={asked === '1' ? '' : (asked ?? '')}
        autofocus
      />
      <div class="field">
        <label for={id}>{texts.pets.category}</label>
        <CategoryField
          id={id}
          label={texts.pets.category}
          class="full"
          value={categoryId}
          onChoose={setCategory}
          isInvalid={faults.category !== undefined}
          describedBy={`${id}-hint ${id}-fault`}
        />
        <p class="hint" id={`${id}-hint`}>
          {t.categoryHint}
        </p>
        <p class="fault" id={`${id}-fault`} role="alert">
          {faults.category}
        </p>
      </div>
      <fieldset class="choice">
        <legend>{texts.pets.statusLabel}</legend>
        <div>
          {[...PET_STATUSES, undefined].map((status: PetStatus | undefined) => (
            <label key={status}>
              <input type="radio" name="status" value={status ?? ''} defaultChecked={status === 'available'} />
              <Status of={status} />
            </label>
          ))}
        </div>
      </fieldset>
      <p class="fault" role="alert">
        {faults.form}
      </p>
    </Form>
  )
}
