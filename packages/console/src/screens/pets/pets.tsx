import type { PetCounts } from '@petstore/client'
import { signal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { nextPage, previousPage } from '../../pages.ts'
import { go, href, place, withQuery } from '../../router.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Later } from '../../ui/later.tsx'
import { Empty, Screen, Skeleton } from '../../ui/screen.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { PET_STATUSES } from '../../ui/status.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { focusedPet, focusRow, returnFocus } from '../table-rows.ts'
import type { BulkProps, BulkResult } from './bulk.tsx'
import { useCounts } from './counts.ts'
import { Find } from './find.tsx'
import { idsOf, type PetList, usePetList } from './list.ts'
import { Freshness, NotFound, PetPager, SearchOn, StaleList, Waiting } from './list-parts.tsx'
import { PetPanel } from './panel.tsx'
import { closePet, currentPet } from './place.ts'
import { extend, pick, Table } from './table.tsx'
import { isFiltered, readView, type View } from './view.ts'

const { pets: t } = texts

export function PetsScreen() {
  const view = readView(place.value.query)
  const list = usePetList(view)
  const rows = list.data.value
  const ids = rows && idsOf(rows)
  // New with each filter and page: nothing stays selected that is not seen.
  const { selection, outcome } = useMemo(
    () => ({ selection: signal<ReadonlySet<bigint>>(new Set()), outcome: signal<BulkResult | undefined>(undefined) }),
    [view.key],
  )
  const [isExporting, setExporting] = useState(false)
  const closeExport = () => setExporting(false)
  useReturnOfFocus(view.pet)
  const counts = useTabCounts(view, rows !== undefined)
  const move =
    (step: number) =>
    ({ shiftKey }: KeyboardEvent) =>
      shiftKey && can('pets:edit') ? extend(selection, step) : focusRow(step)
  useShortcuts({
    j: move(1),
    k: move(-1),
    ArrowDown: move(1),
    ArrowUp: move(-1),
    x: ({ shiftKey }) => {
      const id = focusedPet()
      if (ids && id !== undefined && can('pets:edit')) pick(selection, id, ids, shiftKey)
    },
    n: () => rows?.next !== undefined && nextPage(rows.next, 'pet'),
    p: () => view.after !== undefined && previousPage('pet'),
    ...(view.pet !== undefined && { Escape: closePet }),
  })
  const actions = (
    <>
      <Freshness />
      <div class="row">
        <button type="button" onClick={() => setExporting(true)}>
          {t.export}
        </button>
        {can('pets:write') && (
          <button type="button" class="primary" onClick={() => go(withQuery({ add: '1' }), { replace: true })}>
            {t.add}
          </button>
        )}
      </div>
    </>
  )
  return (
    <div class="split">
      <div class="list">
        <Screen title={texts.frame.section.pets} actions={actions}>
          <div class="toolbar">
            <Tabs label={t.views} tabs={tabsOf(view, counts)} />
            <Find view={view} />
          </div>
          <StaleList list={list} view={view} />
          <Selected selection={selection} outcome={outcome} />
          {list.isPartial.value && rows && ids && ids.length > 0 && <p class="notice">{t.partial}</p>}
          <Waiting list={list} />
          {rows && ids && ids.length > 0 && (
            <>
              <NotFound view={view} rows={rows} />
              <Table ids={ids} view={view} selection={selection} />
              <PetPager view={view} rows={rows} list={list} />
            </>
          )}
          {rows && ids?.length === 0 && <EmptyList view={view} list={list} hasMore={rows.next !== undefined} />}
          {!rows && list.error.value === undefined && <Skeleton rows={20} />}
        </Screen>
      </div>
      {view.pet !== undefined && (
        <PetPanel
          key={String(view.pet)}
          id={view.pet}
          onClose={closePet}
          onDeleted={(id) => {
            list.exclude(id)
            if (currentPet() === id) closePet()
          }}
        />
      )}
      {isExporting && (
        <Later onClose={closeExport} show={({ Export }) => <Export view={view} onClose={closeExport} />} />
      )}
    </div>
  )
}

/** Undefined while they are unknown, and where a search narrows the list further. */
function useTabCounts({ category, name, ids }: View, hasRows: boolean) {
  const isReady = useRef(false)
  isReady.current ||= hasRows
  const counts = useCounts(category, isReady.current).data.value
  return name === undefined && ids === undefined ? counts : undefined
}

function tabsOf(view: View, counts: PetCounts | undefined) {
  const { available = 0, pending = 0, sold = 0, none = 0 } = counts ?? {}
  return [undefined, ...PET_STATUSES].map((status) => ({
    label: status === undefined ? t.all : t.status[status],
    count: counts && (status === undefined ? available + pending + sold + none : counts[status]),
    path: withQuery({ status, id: undefined, after: undefined, pet: undefined }),
    isCurrent: view.status === status && view.ids === undefined,
  }))
}

/** When the panel closes, by whichever way, the focus is where it was opened. */
function useReturnOfFocus(pet: bigint | undefined) {
  const last = useRef(pet)
  useLayoutEffect(() => {
    const { current } = last
    last.current = pet
    if (current !== undefined && pet === undefined && place.peek().path === '/pets') returnFocus(current)
  }, [pet])
}

function EmptyList({ view, list, hasMore }: { view: View; list: PetList; hasMore: boolean }) {
  const { name, after } = view
  if (hasMore)
    return (
      <Empty title={t.notYet}>
        <SearchOn list={list} />
      </Empty>
    )
  if (name !== undefined && after === undefined) {
    if (view.status !== undefined || view.category !== undefined)
      return (
        <Empty title={t.noneCalledHere(name)} text={t.noneHere}>
          <a class="button" href={href(withQuery({ status: undefined, category: undefined }))}>
            {t.searchAll}
          </a>
        </Empty>
      )
    if (list.isPartial.value) return <Empty title={t.noneFound(name)} text={t.partial} />
    return (
      <Empty title={t.noneCalled(name)} text={t.noneCalledLead}>
        {can('pets:write') && list.error.value === undefined && (
          <button type="button" onClick={() => go(withQuery({ add: name }), { replace: true })}>
            {t.addCalled(name)}
          </button>
        )}
      </Empty>
    )
  }
  if (isFiltered(view) || after !== undefined)
    return (
      <Empty
        title={after === undefined ? t.emptyFilter : t.emptyPage}
        {...(after === undefined && { text: t.emptyFilterLead })}
      >
        <a class="button" href={href('/pets')}>
          {t.showAll}
        </a>
      </Empty>
    )
  return (
    <Empty title={t.emptyStore} text={t.emptyStoreLead}>
      <code class="number">{t.importCommand}</code>
    </Empty>
  )
}

/** From the first pet that is selected; then it stays, for what happens to them. */
function Selected({ selection, outcome }: BulkProps) {
  const isNeeded = useRef(false)
  isNeeded.current ||= selection.value.size > 0
  if (!isNeeded.current) return null
  return (
    <Later
      onClose={() => {
        isNeeded.current = false
        selection.value = new Set()
      }}
      show={({ Bulk, BulkOutcome }) => (
        <>
          <Bulk selection={selection} outcome={outcome} />
          <BulkOutcome outcome={outcome} />
        </>
      )}
    />
  )
}
