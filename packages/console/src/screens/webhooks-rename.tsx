import { useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'

const { webhooks: t, common } = texts

interface RenameProps {
  name: string
  /** `null` for none. */
  onSave: (name: string | null) => void
  onClose: () => void
}

export function Rename({ name, onSave, onClose }: RenameProps) {
  const [typed, setTyped] = useState(name)
  const submit = (event: Event) => {
    event.preventDefault()
    onSave(typed.trim() === '' ? null : typed.trim())
  }
  return (
    <Dialog title={t.renameTitle} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t.name}
          hint={t.nameHint}
          dir="auto"
          maxLength={100}
          value={typed}
          autofocus
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <footer>
          <button type="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="submit" class="primary">
            {common.save}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
