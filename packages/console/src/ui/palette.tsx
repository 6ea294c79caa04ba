import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { go } from '../router.ts'
import { openSections, pathOf } from '../sections.ts'
import { can, signOut } from '../session.ts'
import { texts } from '../texts.ts'
import { type Command, suggest } from './commands.ts'
import { Dialog } from './dialog.tsx'
import { Icon, type IconName } from './icon.tsx'
import { PET_STATUSES } from './status.tsx'
import { THEMES, theme } from './theme.ts'

const { palette: t, frame, pets, orders } = texts

interface Shown extends Command {
  icon: IconName
}

const TARGETS = {
  openPet: (id: string) => ({ label: t.openPet(id), icon: 'pets' as IconName, run: () => go(`/pets?pet=${id}`) }),
  openOrder: (id: string) => ({
    label: t.openOrder(id),
    icon: 'orders' as IconName,
    run: () => go(`/orders?order=${id}`),
  }),
}

function commands(): Shown[] {
  const view = (section: 'pets' | 'orders', status: string, label: string) => ({
    label: t.goTo(t.view(frame.section[section], label)),
    icon: section,
    run: () => go(`/${section}?status=${status}`),
  })
  return [
    ...openSections().map((section) => ({
      label: t.goTo(frame.section[section]),
      icon: section,
      run: () => go(pathOf(section)),
    })),
    ...(can('pets:write') ? [{ label: t.addPet, icon: 'plus' as const, run: () => go('/pets?add=1') }] : []),
    ...(can('pets:read') ? PET_STATUSES.map((status) => view('pets', status, pets.status[status])) : []),
    ...(can('orders:read')
      ? Object.entries(orders.status).map(([status, label]) => view('orders', status, label))
      : []),
    ...THEMES.map((name) => ({
      label: t.theme(frame.themes[name]),
      icon: name,
      run: () => {
        theme.value = name
      },
    })),
    { label: frame.docs, icon: 'arrow', run: () => location.assign('/docs') },
    { label: frame.signOut, icon: 'arrow', run: () => void signOut() },
  ]
}

/** A combobox over everything that can be gone to or done from anywhere. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const found = suggest(text, commands(), TARGETS)
  const current = Math.min(index, found.length - 1)
  useEffect(() => list.current?.children[current]?.scrollIntoView({ block: 'nearest' }), [current])
  const run = (command: Shown | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setIndex((current + step + found.length) % Math.max(found.length, 1))
    else if (event.key === 'Enter') run(found[current])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={t.title} onClose={onClose} class="palette">
      <div class="seek">
        <Icon of="search" />
        <input
          type="text"
          role="combobox"
          aria-label={t.title}
          placeholder={t.hint}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setIndex(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="options" role="listbox" id={id} aria-label={t.title} tabIndex={-1} ref={list}>
        {found.map((command, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox, which keeps the focus
          <div
            key={command.label}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === current}
            onClick={() => run(command)}
            onMouseMove={() => setIndex(place)}
          >
            <Icon of={command.icon} />
            {command.label}
          </div>
        ))}
      </div>
      <p class="none-found" role="status">
        {found.length === 0 && t.empty}
      </p>
    </Dialog>
  )
}
