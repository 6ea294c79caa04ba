import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { go } from '../router.ts'
import { isIds } from '../screens/pets/view.ts'
import { openSections, pathOf } from '../sections.ts'
import { can, signOut } from '../session.ts'
import { texts } from '../texts.ts'
import { suggest } from './commands.ts'
import { Dialog } from './dialog.tsx'
import { Icon, type IconName } from './icon.tsx'
import { type Found, findHits, type Hit } from './palette-hits.tsx'
import { usePause } from './pause.ts'
import { PET_STATUSES } from './status.tsx'
import { THEMES, theme } from './theme.ts'

const { palette: t, common, frame, pets, orders } = texts

const TARGETS = {
  openPet: (id: string): Hit => ({
    group: 'pets',
    icon: 'pets',
    label: t.openPet(id),
    run: () => go(`/pets?pet=${id}`),
  }),
  openOrder: (id: string): Hit => ({
    group: 'orders',
    icon: 'orders',
    label: t.openOrder(id),
    run: () => go(`/orders?order=${id}`),
  }),
}

function commands(): Hit[] {
  const place = (icon: IconName, label: string, path: string): Hit => ({
    group: 'places',
    icon,
    label: t.goTo(label),
    run: () => go(path),
  })
  const views = (section: 'pets' | 'orders', statuses: readonly (readonly [string, string])[]) =>
    statuses.map(([status, label]) =>
      place(section, t.view(frame.section[section], label), `/${section}?status=${status}`),
    )
  const action = (icon: IconName, label: string, run: () => void): Hit => ({ group: 'actions', icon, label, run })
  return [
    ...openSections().map((section) => place(section, frame.section[section], pathOf(section))),
    ...(can('pets:read')
      ? views(
          'pets',
          PET_STATUSES.map((status) => [status, pets.status[status]]),
        )
      : []),
    ...(can('orders:read') ? views('orders', Object.entries(orders.status)) : []),
    ...(can('pets:write') ? [action('plus', t.addPet, () => go('/pets?add=1'))] : []),
    ...THEMES.map((name) =>
      action(name, t.theme(frame.themes[name]), () => {
        theme.value = name
      }),
    ),
    // As from the sidebar: what is typed in this page stays.
    action('arrow', frame.docs, () => void open('/docs', '_blank', 'noopener')),
    action('arrow', frame.signOut, () => void signOut()),
  ]
}

/** A text that is a name, and no id. */
const addHit = (name: string): Hit[] =>
  can('pets:write') && name !== '' && !isIds(name) && !name.startsWith('ord_')
    ? [
        {
          group: 'actions',
          icon: 'plus',
          label: pets.addCalled(name),
          run: () => go(`/pets?${new URLSearchParams({ add: name })}`),
        },
      ]
    : []

/** A combobox over everything that can be gone to or done from anywhere. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const [found, setFound] = useState<Found & { typed: string }>({
    typed: '',
    hits: [],
    fault: undefined,
    isKnown: false,
  })
  const searching = useRef<AbortController>(undefined)
  const isEntered = useRef(false)
  const id = useId()
  const typed = text.trim()
  const known = suggest(text, commands(), TARGETS)
  /** Digits and the id of an order lead somewhere at once; what that is, is known a moment later. */
  const targets = known.filter(({ group }) => group === 'pets' || group === 'orders')
  const same = found.hits.find((hit) => hit.id === typed)
  const isFound = found.typed === typed
  const hits = [
    ...targets.map((hit) => (same ? { ...hit, id: same.label, more: same.more } : hit)),
    ...(typed === '' ? [] : found.hits.filter((hit) => hit !== same)),
    ...known.slice(targets.length),
    // Before it is known who else has the name, that would be a second pet of the same name.
    ...(isFound && found.isKnown ? addHit(typed) : []),
  ]
  const current = Math.min(index, hits.length - 1)
  useEffect(() => document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' }), [current])
  useEffect(() => () => searching.current?.abort(), [])
  const run = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    hit.run()
  }
  /** At most one at a time: a newer one ends it. */
  const search = async () => {
    searching.current?.abort()
    if (typed === '') return
    searching.current = new AbortController()
    const { signal } = searching.current
    const next = await findHits(typed, signal)
    if (!signal.aborted) setFound({ typed, ...next })
  }
  const pause = usePause(() => void search())
  // Enter was pressed before it was known what comes first.
  useLayoutEffect(() => {
    if (isEntered.current && isFound) run(hits[0])
  }, [found])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setIndex((current + step + hits.length) % Math.max(hits.length, 1))
    else if (event.key !== 'Enter') return
    else if (index > 0 || typed === '' || isFound) run(hits[current])
    else if (!isEntered.current) {
      isEntered.current = true
      pause.now()
    }
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
          aria-activedescendant={hits.length > 0 ? `${id}-${current}` : undefined}
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setIndex(0)
            isEntered.current = false
            pause.typing.onInput(event)
          }}
          onCompositionEnd={pause.typing.onCompositionEnd}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="options" role="listbox" id={id} aria-label={t.title} tabIndex={-1}>
        {Object.entries(Object.groupBy(hits, ({ group }) => group)).map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of the options of a listbox
          <div key={group} role="group" aria-label={t.groups[group as Hit['group']]}>
            <div role="presentation">{t.groups[group as Hit['group']]}</div>
            {members.map((hit) => {
              const place = hits.indexOf(hit)
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox, which keeps the focus
                <div
                  key={`${hit.label} ${hit.id}`}
                  id={`${id}-${place}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === current}
                  onClick={() => run(hit)}
                  onMouseMove={() => setIndex(place)}
                >
                  <Icon of={hit.icon} />
                  <span class="named">
                    <span dir="auto">{hit.label}</span>
                    {hit.id !== undefined && <span class="id">{hit.id}</span>}
                  </span>
                  {hit.more}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      <p class="none-found" role="status">
        {isFound && found.fault !== undefined ? (
          <>
            {t.missing(found.fault)}{' '}
            <button type="button" class="link" onClick={pause.now}>
              {common.tryAgain}
            </button>
          </>
        ) : (
          isFound && hits.length === 0 && t.empty
        )}
      </p>
    </Dialog>
  )
}
