import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { go } from '../router.ts'
import { pathOf, SECTIONS } from '../sections.ts'
import { can, signOut } from '../session.ts'
import { texts } from '../texts.ts'
import { type Command, suggest } from './commands.ts'
import { Dialog } from './dialog.tsx'
import { PET_STATUSES } from './status.tsx'
import { THEMES, theme } from './theme.ts'

const { palette: t, frame, pets, orders } = texts

const TARGETS = {
  openPet: (id: string) => ({ label: t.openPet(id), run: () => go(`/pets?pet=${id}`) }),
  openOrder: (id: string) => ({ label: t.openOrder(id), run: () => go(`/orders?order=${id}`) }),
}

function commands(): Command[] {
  const view = (section: 'pets' | 'orders', status: string, label: string) => ({
    label: t.goTo(t.view(frame.section[section], label)),
    run: () => go(`/${section}?status=${status}`),
  })
  return [
    ...SECTIONS.map((section) => ({ label: t.goTo(frame.section[section]), run: () => go(pathOf(section)) })),
    ...(can('pets:write') ? [{ label: t.addPet, run: () => go('/pets?add=1') }] : []),
    ...PET_STATUSES.map((status) => view('pets', status, pets.status[status])),
    ...Object.entries(orders.status).map(([status, label]) => view('orders', status, label)),
    ...THEMES.map((name) => ({
      label: t.theme(frame.themes[name]),
      run: () => {
        theme.value = name
      },
    })),
    { label: frame.docs, run: () => location.assign('/docs') },
    { label: frame.signOut, run: () => void signOut() },
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
  const run = (command: Command | undefined) => {
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
            {command.label}
          </div>
        ))}
      </div>
      <p class="soft" role="status">
        {found.length === 0 && t.empty}
      </p>
    </Dialog>
  )
}
