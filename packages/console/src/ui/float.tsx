import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface FloatProps {
  label: string
  role: 'menu' | 'dialog'
  /** `form`: on a phone it is a sheet that rises from the bottom. */
  class?: string
  onClose: () => void
  children: ComponentChildren
}

/**
 * What opens at a button, next to it inside an `.anchor`. It closes on Escape, and when the focus or a press goes elsewhere; the focus goes
 * back to the button, unless the person has moved it.
 */
export function Float({ label, role, class: className = '', onClose, children }: FloatProps) {
  const box = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useLayoutEffect(() => {
    const { current } = box
    const anchor = current?.parentElement
    // Not every browser gives the focus to a button that is clicked.
    const opener = anchor?.querySelector<HTMLElement>('[aria-expanded=true]')
    current?.querySelector<HTMLElement>('[autofocus], [role^=menuitem], input, button')?.focus()
    const away = ({ target }: Event) => {
      if (target instanceof Node && !anchor?.contains(target)) close.current()
    }
    // On a phone, the dark part above the sheet belongs to it.
    const pressed = (event: PointerEvent) => {
      const isAbove = event.target === current && event.clientY < (current?.getBoundingClientRect().top ?? 0)
      if (isAbove) close.current()
      else away(event)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // The next one closes what is below it.
      event.preventDefault()
      event.stopPropagation()
      close.current()
    }
    anchor?.addEventListener('keydown', onKeyDown)
    addEventListener('pointerdown', pressed)
    addEventListener('focusin', away)
    return () => {
      anchor?.removeEventListener('keydown', onKeyDown)
      removeEventListener('pointerdown', pressed)
      removeEventListener('focusin', away)
      const { activeElement } = document
      if (activeElement === document.body || current?.contains(activeElement)) opener?.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a label
    <div class={`float ${className}`} role={role} aria-label={label} tabIndex={-1} ref={box}>
      {children}
    </div>
  )
}
