import { useEffect } from 'preact/hooks'
import { orders } from '../api.ts'
import { formatCount, SOON_MS } from '../format.ts'
import { useLive, useRows } from '../live.ts'
import { openOrders } from '../open-orders.ts'
import { nextPage, previousPage } from '../pages.ts'
import { href, place, withQuery } from '../router.ts'
import { texts } from '../texts.ts'
import { Pager } from '../ui/pager.tsx'
import { Empty, Screen, Stale } from '../ui/screen.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import { Tabs } from '../ui/tabs.tsx'
import { useTick } from '../ui/time.tsx'
import { FindOrder } from './orders-find.tsx'
import { createOrderList, type OrderList } from './orders-list.ts'
import { OrderPane } from './orders-pane.tsx'
import { OrderTable } from './orders-table.tsx'
import { boundsOf, isOpen, ORDER_STATUSES, type OrderView, readOrderView, sortOf } from './orders-view.ts'
import { petName, readPets } from './pets/records.ts'
import { focusRow } from './table-rows.ts'

const { orders: t, common } = texts

export function OrdersScreen() {
  const { query } = place.value
  const id = query.get('order') ?? undefined
  const view = readOrderView(query)
  const list = useRows(() => createOrderList(view), Object.values(view))
  const next = list.data.value?.next
  useShortcuts({
    j: () => focusRow(1),
    k: () => focusRow(-1),
    ArrowDown: () => focusRow(1),
    ArrowUp: () => focusRow(-1),
    n: () => next !== undefined && nextPage(next, 'order'),
    p: () => view.after !== undefined && previousPage('order'),
  })
  return (
    <div class="split">
      <div class="list">
        <Screen title={texts.frame.section.orders} actions={<Total view={view} list={list} />}>
          {view.pet !== undefined && <OfPet pet={view.pet} />}
          <div class="toolbar">
            <Tabs label={t.views} tabs={tabsOf(view)} />
            <FindOrder view={view} list={list} />
          </div>
          {typeof view.pet === 'string' ? (
            <Empty title={common.int64[view.pet]} />
          ) : (
            <Orders view={view} list={list} current={id} />
          )}
        </Screen>
      </div>
      {id !== undefined && <OrderPane key={id} id={id} />}
    </div>
  )
}

function tabsOf(view: OrderView) {
  return [...ORDER_STATUSES, undefined].map((status) => ({
    label: status ? t.status[status] : t.all,
    // Of all open orders: it would be wrong for those of a pet or a reference.
    ...(status === 'placed' && view.pet === undefined && view.find === undefined && { count: openOrders.value }),
    path: withQuery({ status: status ?? 'all', after: undefined, order: undefined }),
    isCurrent: status === view.status,
  }))
}

/** How many orders a tab has, and how many of those that are open end in a few minutes. */
function Total({ view, list }: { view: OrderView; list: OrderList }) {
  const { status, day } = view
  const sort = sortOf(view)
  useTick(sort === 'expiring' ? 1_000 : undefined)
  const counted = useLive(
    async (signal) =>
      sort === 'closed' ? (await orders.count({ status, ...boundsOf(day), signal })).count : undefined,
    [sort, status, day],
    ({ type }) => type === `order.${status}`,
  )
  const n = sort === 'expiring' ? openOrders.value : counted.data.value
  if (n === undefined || sort === 'newest' || !status) return null
  const { shown = [], waiting = [], next } = (sort === 'expiring' && !view.after && list.data.value) || {}
  const all = [...shown, ...waiting]
  const soon = all.filter((order) => isOpen(order) && Date.parse(order.expiresAt) - Date.now() < SOON_MS).length
  return (
    <span class="total">
      {t.total[status](formatCount(n))}
      {soon > 0 && <b> · {t.soon(soon, next !== undefined && soon === all.length)}</b>}
    </span>
  )
}

function OfPet({ pet }: { pet: NonNullable<OrderView['pet']> }) {
  const id = typeof pet === 'bigint' ? pet : undefined
  useEffect(() => {
    // A pet without orders is not among those that the list reads.
    if (id !== undefined) void readPets([id]).catch(() => {})
  }, [id])
  const name = id === undefined ? place.value.query.get('pet') : petName(id)
  return (
    <p class="notice">
      <span>
        {t.ofPet} <bdi>{name}</bdi>
      </span>
      <a href={href('/orders')}>{t.ofAllPets}</a>
    </p>
  )
}

interface OrdersProps {
  view: OrderView
  list: OrderList
  current: string | undefined
}

function Orders({ view, list, current }: OrdersProps) {
  const { status, after } = view
  const rows = list.data.value
  if (!rows) return <Stale live={list} rows={8} />
  const { shown, waiting, next } = rows
  return (
    <>
      <Stale live={list} />
      <div role="status">
        {waiting.length > 0 && (
          <button type="button" class="newer" onClick={() => void list.show()}>
            {t.newer(waiting.length)}
          </button>
        )}
      </div>
      {shown.length > 0 ? <OrderTable rows={shown} status={status} current={current} /> : <None view={view} />}
      {(after ?? next) !== undefined && <Pager item="order" after={after} next={next} />}
    </>
  )
}

/** Says of which orders there are none. */
function None({ view: { status, pet, find, day } }: { view: OrderView }) {
  const none = status && t.none[status]
  if (find !== undefined)
    return (
      <Empty title={none ? t.noneFor(none, find) : t.notFound(find)} text={t.notFoundHint}>
        <a class="button" href={href('/orders')}>
          {t.showOpen}
        </a>
      </Empty>
    )
  if (none && day !== undefined)
    return (
      <Empty title={t.noneOnDay(none)} text={t.noneOnDayHint}>
        <a class="button" href={href(withQuery({ day: undefined, after: undefined, order: undefined }))}>
          {t.showAllDays}
        </a>
      </Empty>
    )
  return <Empty title={none ?? (pet === undefined ? t.noneAtAll : t.noneOfPet)} text={t.noneHint} />
}
