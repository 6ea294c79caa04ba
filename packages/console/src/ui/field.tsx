import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

type FieldProps = JSX.IntrinsicElements['input'] & {
  label: string
  hint?: string | undefined
  /** What is wrong with the value. */
  fault?: string | undefined
}

/** A labelled text field with its hint and what is wrong with it, tied together for screen readers. */
export function Field({ label, hint, fault, ...input }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        {...input}
        id={id}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-hint ${id}-fault`}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <p class="fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
    </div>
  )
}
