import { useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { notify } from './toast.tsx'

const CONFIRMED_MS = 2_000

/** Copies text to the clipboard, and says so: by `onCopied`, or in a toast. */
export async function copyText(text: string, onCopied: () => void = () => notify(texts.common.copied)) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    notify(texts.common.notCopied, { isError: true })
    return
  }
  onCopied()
}

/** A button that copies text, and says so. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [isCopied, setCopied] = useState(false)
  const confirm = () => {
    setCopied(true)
    setTimeout(() => setCopied(false), CONFIRMED_MS)
  }
  return (
    <button type="button" onClick={() => void copyText(text(), confirm)}>
      <span aria-live="polite">{isCopied ? texts.common.copied : label}</span>
    </button>
  )
}
