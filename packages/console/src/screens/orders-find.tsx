import { useLayoutEffect, useRef } from 'preact/hooks'
import { go, withQuery } from '../router.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { usePause } from '../ui/pause.ts'
import { useShortcuts } from '../ui/shortcuts.ts'
import type { OrderList } from './orders-list.ts'
import { type OrderView, sortOf, soughtOne } from './orders-view.ts'

const { orders: t } = texts

/** What another search or day leaves: the first page, with no order open. */
const FRESH = { after: undefined, order: undefined }

/** By reference or id as one types, and those that have ended by day. Enter opens the order if it is the only one. */
export function FindOrder({ view, list }: { view: OrderView; list: OrderList }) {
  const { find = '', day = '' } = view
  const field = useRef<HTMLInputElement>(null)
  const sought = useRef<string | undefined>(undefined)
  const rows = list.data.value
  useShortcuts({ '/': () => field.current?.select() })
  /** What the address has as far as this field knows: text that is typed meanwhile is not replaced by it. */
  const sent = useRef('')
  useLayoutEffect(() => {
    if (field.current && find !== sent.current) field.current.value = find
    sent.current = find
  }, [find])
  const openSought = () => {
    if (!rows || sought.current !== find) return
    sought.current = undefined
    const one = rows.next === undefined ? soughtOne(rows.shown) : undefined
    if (one) go(withQuery({ order: one.id }), { replace: true })
  }
  useLayoutEffect(openSought, [rows, find])
  const search = () => {
    const text = field.current?.value.trim() ?? ''
    if (text === find) return
    sent.current = text
    // One entry of the history for a search. Those of another status are found too.
    go(withQuery({ ...FRESH, find: text, status: undefined, pet: undefined, day: undefined }), { replace: find !== '' })
  }
  const pause = usePause(search)
  const enter = () => {
    sought.current = field.current?.value.trim() || undefined
    pause.now()
    openSought()
  }
  return (
    <search class="tools">
      {sortOf(view) === 'closed' && (
        <input
          type="date"
          class="day"
          aria-label={t.day}
          title={t.day}
          value={day}
          onChange={(event) => go(withQuery({ ...FRESH, day: event.currentTarget.value }), { replace: true })}
        />
      )}
      <div class="seek">
        <Icon of="search" isSmall />
        <input
          ref={field}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={t.find}
          aria-label={t.find}
          aria-keyshortcuts="/"
          {...pause.typing}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.isComposing) enter()
          }}
        />
        <kbd>/</kbd>
      </div>
    </search>
  )
}
