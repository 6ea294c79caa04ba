import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { href } from '../router.ts'
import { Float } from './float.tsx'
import { Icon, type IconName } from './icon.tsx'

interface MenuItem {
  label: string
  icon?: IconName
  /** Where it leads: a link, which can be opened in another tab. */
  path?: string
  run?: () => void
  isDanger?: boolean
  /** The menu stays open, as what it does can be done again. */
  isRepeatable?: boolean
}

interface MenuProps {
  label: string
  /** `line`: what comes after it is of another kind. */
  items: readonly (MenuItem | 'line')[]
  /** Below them, small. */
  note?: string
  class?: string
  /** What the button shows, if not three dots. */
  children?: ComponentChildren
}

/** A button with a menu, used with the mouse, or with the arrow keys, Home, End, Enter and Escape. */
export function Menu({ label, items, note, class: className = 'bare', children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const close = () => setOpen(false)
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    // Not in the list behind it.
    event.preventDefault()
    event.stopPropagation()
    all.at(next % all.length)?.focus()
  }
  return (
    <div class="anchor">
      <button
        type="button"
        class={className}
        aria-label={children === undefined ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {children ?? <Icon of="dots" />}
      </button>
      {isOpen && (
        <Float label={label} role="menu" onClose={close}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the menu around it */}
          <div role="presentation" ref={list} onKeyDown={onKeyDown}>
            {items.map((item, place) =>
              // The label of an item may change while it has the focus.
              item === 'line' ? <hr key={place} /> : <Item key={place} item={item} onClose={close} />,
            )}
          </div>
          {note && <p class="menu-note id">{note}</p>}
        </Float>
      )}
    </div>
  )
}

function Item({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  const { label, icon, path, run, isDanger = false, isRepeatable = false } = item
  const onClick = () => {
    if (!isRepeatable) onClose()
    run?.()
  }
  const content = (
    <>
      {icon && <Icon of={icon} isSmall />}
      {label}
    </>
  )
  const shown = { role: 'menuitem', tabIndex: -1, class: isDanger ? 'danger-item' : undefined, onClick } as const
  if (path !== undefined)
    return (
      <a {...shown} href={href(path)}>
        {content}
      </a>
    )
  return (
    <button type="button" {...shown}>
      {content}
    </button>
  )
}
