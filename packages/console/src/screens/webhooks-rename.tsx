import { useState } from 'preact/hooks'
import { texts } from '../manage-texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'

const { webhooks: t, common } = texts
/** The service allows no more. */
export const MOST_OF_A_NAME = 100

interface RenameProps {
  name: string
  /** `null` for none. */
  onSave: (name: string | null) => void
  onClose: () => void
}

export function Rename({ name, onSave, onClose }: RenameProps) {
  const [typed, setTyped] = useState(name)
  return (
    <Dialog title={t.renameTitle} onClose={onClose}>
      <Form action={common.save} onSubmit={() => onSave(typed.trim() || null)} onCancel={onClose}>
        <Field
          label={t.name}
          hint={t.nameHint}
          dir="auto"
          maxLength={MOST_OF_A_NAME}
          value={typed}
          autofocus
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </Form>
    </Dialog>
  )
}
