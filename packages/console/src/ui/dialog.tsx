import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'

interface DialogProps {
  title: string
  /** Without it, the dialog can't be closed by the person. */
  onClose?: (() => void) | undefined
  class?: string
  children: ComponentChildren
}

/** The browser's own modal dialog: it keeps the focus inside, gives it back, and closes on Escape. */
export function Dialog({ title, onClose, class: className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // `close` is fired a tick after the dialog was removed, when the caller may already show another.
  const isRemoved = useRef(false)
  // A selection of text that ends beside the dialog is a click on it too.
  const isPressedBeside = useRef(false)
  useLayoutEffect(() => {
    const { current } = dialog
    // The browser gives the focus back to this by itself only if it still is what it was.
    const opener = document.activeElement
    current?.showModal()
    return () => {
      isRemoved.current = true
      current?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  // Escape: here rather than at `close`, which comes a tick later, when a key may already have opened the next dialog.
  const cancelled = (event: Event) => {
    if (!onClose || event.target !== dialog.current) return
    event.preventDefault()
    onClose()
  }
  const closed = () => {
    if (isRemoved.current) return
    if (onClose) onClose()
    else dialog.current?.showModal()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog; its key is Escape, which the browser handles
    <dialog
      ref={dialog}
      class={className}
      aria-labelledby={id}
      closedby={onClose ? 'any' : 'none'}
      onCancel={cancelled}
      onClose={closed}
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === dialog.current
      }}
      onClick={(event) => event.target === dialog.current && isPressedBeside.current && onClose?.()}
    >
      <div class="sheet">
        <header>
          <h2 id={id}>{title}</h2>
          {onClose && (
            <button type="button" class="bare" aria-label={texts.common.close} onClick={onClose}>
              <Icon of="close" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  text: string
  /** The text of the button that confirms. */
  action: string
  /** The text of the other button, if Cancel could be misread. */
  keep?: string
  onConfirm: () => void
  onClose: () => void
}

export function Confirm({ title, text, action, keep = texts.common.cancel, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <footer>
        <button type="button" onClick={onClose}>
          {keep}
        </button>
        <button type="button" class="danger" onClick={onConfirm}>
          {action}
        </button>
      </footer>
    </Dialog>
  )
}
