import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
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
  /** What had the focus when it came: the toast is the next stop of Tab after that, and does not cover it. */
  origin: Element | null
}

const SHOWN_MS = 10_000
/** Errors are kept beyond it. */
const MAX_SHOWN = 3
const toasts = signal<readonly Toast[]>([])
let lastId = 0

/** Returns what dismisses it. */
export function notify(text: string, options: ToastOptions = {}) {
  const { isError = false } = options
  // An error that happens again and again is shown once.
  const was = toasts.value.filter((toast) => !isError || !toast.isError || toast.text !== text)
  const id = ++lastId
  let excess = was.length + 1 - MAX_SHOWN
  toasts.value = [
    ...was.filter((toast) => toast.isError || excess-- <= 0),
    { ...options, id, text, origin: document.activeElement },
  ]
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
  const box = useRef<HTMLDivElement>(null)
  const origin = toasts.value.at(-1)?.origin
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    // Where nothing has the focus it is about nothing that is seen: not every browser gives it to a button that is clicked.
    const about = origin?.closest('tr') ?? (origin === document.body ? undefined : origin)
    current.classList.remove('high')
    // When everything else has its place.
    const frame = requestAnimationFrame(() => {
      current.classList.toggle('high', about instanceof HTMLElement && areOver(about, current))
    })
    let from = origin
    const onKeyDown = (event: KeyboardEvent) => {
      // The form that it came from has closed: from where the focus is now.
      if (event.key === 'Tab' && from?.isConnected === false && !current.contains(document.activeElement))
        from = document.activeElement
      followTab(event, current, from)
    }
    addEventListener('keydown', onKeyDown)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('keydown', onKeyDown)
    }
  }, [toasts.value])
  return (
    <div class="toasts" role="status" aria-live="polite" ref={box}>
      {toasts.value.map((toast) => !toast.isElsewhere && <ToastBox key={toast.id} toast={toast} />)}
    </div>
  )
}

function areOver(one: Element, other: Element) {
  const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/** From where it came from into the toasts, and from them to where one would have gone from there. */
function followTab(event: KeyboardEvent, box: HTMLElement, origin: Element | null | undefined) {
  if (event.key !== 'Tab' || !(origin instanceof HTMLElement) || !origin.isConnected || origin === document.body) return
  const buttons = [...box.querySelectorAll('button')]
  const { activeElement } = document
  const [into, out] = event.shiftKey ? [undefined, buttons[0]] : [buttons[0], buttons.at(-1)]
  if (activeElement === origin && into) {
    event.preventDefault()
    into.focus()
  } else if (activeElement === out && out) {
    if (event.shiftKey) event.preventDefault()
    // Forward, the browser goes on from here.
    origin.focus()
  }
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
