import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'
import { useShortcuts } from './shortcuts.ts'

interface ToastOptions {
  /** Errors stay until they are dismissed. */
  isError?: boolean
  undo?: (() => void) | undefined
  /** What its button says, if that is more than Undo. */
  undoLabel?: string
  /** Its message is shown elsewhere: here it is only the last change, for Ctrl Z. */
  isElsewhere?: boolean
}

interface Toast extends ToastOptions {
  id: number
  text: string
}

const SHOWN_MS = 10_000
/** Errors are kept beyond it. */
const MAX_SHOWN = 3
const toasts = signal<readonly Toast[]>([])
let lastId = 0

/** Returns what dismisses it. */
export function notify(text: string, options: ToastOptions = {}) {
  const was = toasts.value
  const id = ++lastId
  let excess = was.length + 1 - MAX_SHOWN
  toasts.value = [...was.filter(({ isError }) => isError || excess-- <= 0), { ...options, id, text }]
  return () => dismiss(id)
}

function dismiss(id: number) {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

function takeBack({ id, undo }: Toast) {
  dismiss(id)
  undo?.()
}

/** Always in the document: screen readers announce only changes of a region that they know. */
export function Toasts() {
  const last = toasts.value.findLast(({ undo }) => undo)
  useShortcuts(last ? { 'Mod+z': () => takeBack(last) } : {})
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => !toast.isElsewhere && <ToastBox key={toast.id} toast={toast} />)}
    </div>
  )
}

function ToastBox({ toast }: { toast: Toast }) {
  const { id, text, isError = false, undo, undoLabel = texts.common.undo } = toast
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isError) return
    const timer = setInterval(() => {
      // Not while somebody reads it, or is about to press its button.
      if (!box.current?.matches(':hover, :focus-within')) dismiss(id)
    }, SHOWN_MS)
    return () => clearInterval(timer)
  }, [id, isError])
  return (
    <div class={isError ? 'toast error' : 'toast'} ref={box}>
      <span>{text}</span>
      {undo && (
        <button type="button" class="link" aria-keyshortcuts="Control+Z Meta+Z" onClick={() => takeBack(toast)}>
          {undoLabel}
        </button>
      )}
      <button type="button" class="bare" aria-label={texts.common.dismiss} onClick={() => dismiss(id)}>
        <Icon of="close" />
      </button>
    </div>
  )
}
