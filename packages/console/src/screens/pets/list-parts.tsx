import { PetstoreError } from '@petstore/client'
import { signal } from '@preact/signals'
import { hasCode, pets } from '../../api.ts'
import { feedState } from '../../feed.ts'
import { useLive } from '../../live.ts'
import { href, withQuery } from '../../router.ts'
import { MAX_WAITING } from '../../rows.ts'
import { isSandbox } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Pager } from '../../ui/pager.tsx'
import { Stale } from '../../ui/screen.tsx'
import { Limited } from '../../ui/time.tsx'
import { returnFocus } from '../table-rows.ts'
import { idsOf, PAGE, type PetList, type PetRows } from './list.ts'
import { petOf } from './records.ts'
import { MAX_IDS, type View } from './view.ts'

const { pets: t } = texts

/** Whether changes arrive by themselves. */
export function Freshness() {
  // "Live" would be taken for the name of the store.
  const word = feedState.value === 'live' && isSandbox.value ? 'current' : feedState.value
  return (
    <span class={`fresh ${feedState.value}`} role="status">
      {word === 'limited' ? <Limited /> : t.feed[word]}
    </span>
  )
}

const offline = signal(new PetstoreError('connection_failed', ''))

/** Rows that can't be read again, or of which the feed brings no news, stay and may be out of date. */
export function StaleList({ list, view }: { list: PetList; view: View }) {
  const isOffline = feedState.value === 'offline' && list.error.value === undefined && list.data.value !== undefined
  return (
    <>
      <Stale live={isOffline ? { ...list, error: offline } : list} />
      {view.after !== undefined && hasCode(list.error.value, 'invalid_cursor') && (
        <p>
          <a href={href(withQuery({ after: undefined }))}>{t.firstPage}</a>
        </p>
      )}
    </>
  )
}

/** The button that shows the pets that wait. Shown at once, they would move the rows that the person reads. */
export function Waiting({ list }: { list: PetList }) {
  const { waiting = [], shown: [first] = [] } = list.data.value ?? {}
  const areNewer = first !== undefined && waiting.every(({ id }) => id > first.id)
  const areCut = waiting.length === MAX_WAITING
  const show = async () => {
    await list.show()
    scrollTo(0, 0)
    returnFocus()
  }
  return (
    <div role="status">
      {waiting.length > 0 && (
        <button type="button" class="newer" onClick={() => void show()}>
          {areNewer ? t.newer(waiting.length, areCut) : t.more(waiting.length, areCut)}
        </button>
      )}
    </div>
  )
}

/** The ids of the filter that no pet has. */
export function NotFound({ view, rows }: { view: View; rows: PetRows }) {
  // If there are several pages, none has all pets that were found.
  const isPart = view.after !== undefined || rows.next !== undefined
  const all = useLive(
    async (ending) => {
      if (view.ids === undefined || !isPart) return undefined
      const found = await pets.list({ ids: view.ids, limit: MAX_IDS, signal: ending }).page()
      return found.pets.map(({ id }) => id)
    },
    [view.key, isPart],
    () => false,
  )
  const found = isPart ? all.data.value : idsOf(rows)
  const missing = (found && view.ids?.filter((id) => !found.includes(id))) ?? []
  if (missing.length === 0) return null
  return <p class="notice">{t.notFound(missing.join(', '))}</p>
}

/** A search that has looked at much and found little goes on when the person says so. */
export function SearchOn({ list }: { list: PetList }) {
  return (
    <button type="button" aria-busy={list.isReadingOlder.value} onClick={() => void list.readOlder()}>
      {t.searchOn}
    </button>
  )
}

export function PetPager({ view, rows, list }: { view: View; rows: PetRows; list: PetList }) {
  const { next, shown } = rows
  const isShort = next !== undefined && shown.length < PAGE && view.name !== undefined
  return (
    <Pager item="pet" after={view.after} next={next} instead={isShort && <SearchOn list={list} />}>
      <span class="soft">{t.onPage(idsOf(rows).filter(petOf).length)}</span>
    </Pager>
  )
}
