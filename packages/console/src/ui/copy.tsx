import { useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { notify } from './toast.tsx'

const CONFIRMED_MS = 2_000

/** Copies text to the clipboard, and says so. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
    } catch {
      notify(texts.common.notCopied, { isError: true })
      return
    }
    setCopied(true)
    setTimeout(() => setCopied(false), CONFIRMED_MS)
  }
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? texts.common.copied : label}</span>
    </button>
  )
}
