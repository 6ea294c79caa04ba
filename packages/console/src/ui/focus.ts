import { useLayoutEffect } from 'preact/hooks'

/**
 * Keeps the focus when the element that has it is removed or disabled: it moves to where it was before a toast had it, else to the
 * heading of the pane, else to that of the screen.
 */
export function useKeptFocus() {
  useLayoutEffect(() => {
    let current: Element | undefined
    /** The last one that is not in a toast, and the pane that it is in. */
    let last: Element | undefined
    let pane: Element | null = null
    const focused = ({ target }: { target: EventTarget | null }) => {
      if (!(target instanceof Element)) return
      current = target
      if (target.closest('.toasts')) return
      last = target
      pane = target.closest('aside')
    }
    // A click beside everything is meant. In a microtask, what is removed is gone.
    const blurred = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (target === current && target !== document.activeElement && isUsable(current)) current = undefined
      })
    const keep = () => {
      const { activeElement } = document
      if (activeElement !== document.body && !activeElement?.matches(':disabled')) return
      if (!current || isUsable(current)) return
      const places = [last, pane?.querySelector('h2'), document.querySelector('main h1')]
      places.find(isUsable)?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(keep)
    // A pane that is in the first address has it already.
    if (document.activeElement !== document.body) focused({ target: document.activeElement })
    addEventListener('focusin', focused)
    addEventListener('focusout', blurred)
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    return () => {
      removeEventListener('focusin', focused)
      removeEventListener('focusout', blurred)
      observer.disconnect()
    }
  }, [])
}

const isUsable = (element: Element | null | undefined): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true })
