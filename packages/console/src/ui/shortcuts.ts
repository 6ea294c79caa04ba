import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

const STORED = 'petstore.single-keys'

/** WCAG 2.1.4: with speech input, single keys are pressed by accident, so they can be turned off. */
export const singleKeys = signal(localStorage.getItem(STORED) !== 'off')

export function setSingleKeys(isOn: boolean) {
  singleKeys.value = isOn
  localStorage.setItem(STORED, isOn ? 'on' : 'off')
}

/** Held down for long, Enter would send a form, and then press whatever has the focus after it, again and again. */
export function ignoreHeldEnter() {
  const ignore = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.repeat) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', ignore, { capture: true })
}

type Shortcuts = Record<string, (event: KeyboardEvent) => void>

/** A key that is held down moves on and on. Anything else is done once. */
const MOVES = /^(?:j|k|Arrow\w+)$/
addEventListener(
  'keydown',
  (event) => {
    // It would press what has the focus by now, such as the button of a form that it has just opened.
    if (event.key !== 'Enter' || !event.repeat) return
    event.preventDefault()
    event.stopPropagation()
  },
  true,
)

const TYPING = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'

/**
 * Handles keys such as `c`, `ArrowDown` or `Mod+k` while this component is shown, and none if a dialog is open. While text is typed only Escape
 * and `Mod+k`; also `Mod+z` in a field with `data-saved`, in which the browser has nothing to undo.
 */
export function useShortcuts(shortcuts: Shortcuts) {
  // Layout effects, here and wherever the focus moves: others wait for a frame, and a key pressed before it would go elsewhere.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event, shortcuts)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}

function handle(event: KeyboardEvent, shortcuts: Shortcuts) {
  const isModified = event.ctrlKey || event.metaKey
  const isSingle = event.key.length === 1
  const name = (isModified ? 'Mod+' : '') + (isSingle ? event.key.toLowerCase() : event.key)
  const shortcut = shortcuts[name]
  if (!shortcut || event.altKey || event.defaultPrevented || event.isComposing) return
  if (document.querySelector('dialog:modal')) return
  if (event.repeat && !MOVES.test(name)) return
  const isEverywhere = name === 'Escape' || name === 'Mod+k'
  const elsewhere = name === 'Mod+z' ? `:is(${TYPING}):not([data-saved=true])` : TYPING
  if (!isEverywhere && event.target instanceof Element && event.target.closest(elsewhere)) return
  // With Shift it is another one, such as Redo.
  if (isModified ? event.shiftKey : isSingle && !singleKeys.value) return
  event.preventDefault()
  shortcut(event)
}
