import type { ComponentChildren, Ref } from 'preact'
import { texts } from '../texts.ts'

interface FormProps {
  /** The text of the button that sends it. */
  action: string
  isBusy?: boolean
  onSubmit: () => unknown
  onCancel: () => void
  form?: Ref<HTMLFormElement>
  children: ComponentChildren
}

/** The form of a dialog, with its two buttons. */
export function Form({ action, isBusy, onSubmit, onCancel, form, children }: FormProps) {
  return (
    <form
      {...(form && { ref: form })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      <footer>
        <button type="button" onClick={onCancel}>
          {texts.common.cancel}
        </button>
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {action}
        </button>
      </footer>
    </form>
  )
}
