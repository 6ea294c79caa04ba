import type { Order, OrderStatus } from '@petstore/client'
import { readInt64 } from '../int64.ts'
import { useRows } from '../live.ts'
import { nextPage, previousPage } from '../pages.ts'
import { href, place, withQuery } from '../router.ts'
import { texts } from '../texts.ts'
import { Empty, Screen, Skeleton, Stale } from '../ui/screen.tsx'
import { Status } from '../ui/status.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Time, TimeLeft } from '../ui/time.tsx'
import { createOrderList } from './orders-list.ts'
import { OrderPane } from './orders-pane.tsx'

const { orders: t, common } = texts

export const ORDER_STATUSES = ['placed', 'completed', 'cancelled', 'expired'] as const satisfies readonly OrderStatus[]

export function OrdersScreen() {
  const { query } = place.value
  const id = query.get('order')
  const pet = query.get('pet') ?? undefined
  // Those that need something done come first; of one pet, all.
  const status =
    ORDER_STATUSES.find((name) => name === query.get('status')) ?? (pet === undefined ? 'placed' : undefined)
  const tab = (name: OrderStatus | undefined, label: string) => ({
    label,
    path: withQuery({ status: name, after: undefined, order: undefined }),
    isCurrent: name === status,
  })
  return (
    <Screen title={texts.frame.section.orders}>
      {pet !== undefined && (
        <p class="notice">
          {t.ofPet(pet)} <a href={href('/orders')}>{t.ofAllPets}</a>
        </p>
      )}
      <Tabs
        label={t.views}
        tabs={[
          ...(pet === undefined ? [] : [tab(undefined, t.all)]),
          ...ORDER_STATUSES.map((name) => tab(name, t.status[name])),
        ]}
      />
      <div class="split">
        <OrderList status={status} pet={pet} after={query.get('after') ?? undefined} current={id} />
        {id !== null && <OrderPane key={id} id={id} />}
      </div>
    </Screen>
  )
}

interface ListProps {
  status: OrderStatus | undefined
  pet: string | undefined
  after: string | undefined
  current: string | null
}

function OrderList({ status, pet, after, current }: ListProps) {
  const petId = pet === undefined ? undefined : readInt64(pet)
  const list = useRows(
    () => createOrderList(status, typeof petId === 'bigint' ? petId : undefined, after),
    [status, pet, after],
  )
  const rows = list.data.value
  if (typeof petId === 'string') return <Empty title={common.int64[petId]} />
  if (!rows) return list.error.value === undefined ? <Skeleton /> : <Stale live={list} />
  const { shown, waiting, next } = rows
  return (
    <div class="list">
      <Stale live={list} />
      <div role="status">
        {waiting.length > 0 && (
          <button type="button" class="newer" onClick={() => void list.show()}>
            {t.newer(waiting.length)}
          </button>
        )}
      </div>
      {shown.length === 0 ? (
        <Empty title={status ? t.none[status] : t.noneOfPet} text={t.noneHint} />
      ) : (
        <OrderTable rows={shown} isPlaced={status === 'placed'} current={current} />
      )}
      {(after !== undefined || next) && (
        <p class="pager">
          {/* Not `disabled`: that would lose the focus on the last page. */}
          <button
            type="button"
            aria-disabled={after === undefined}
            onClick={() => after !== undefined && previousPage('order')}
          >
            {t.previous}
          </button>
          <button type="button" aria-disabled={!next} onClick={() => next && nextPage(next, 'order')}>
            {t.next}
          </button>
        </p>
      )}
    </div>
  )
}

function OrderTable({
  rows,
  isPlaced,
  current,
}: {
  rows: readonly Order[]
  isPlaced: boolean
  current: string | null
}) {
  return (
    <table class="orders">
      <thead>
        <tr>
          <th class="id">{t.order}</th>
          <th>{t.state}</th>
          <th>{t.pet}</th>
          <th class="wide">{t.reference}</th>
          <th class="wide">{t.placedAt}</th>
          <th>{isPlaced ? t.timeLeft : t.closedAt}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((order) => (
          <tr key={order.id} aria-current={order.id === current ? 'true' : undefined}>
            <td class="id">
              {/* One entry of the history, whichever orders are opened one after the other. */}
              <a
                class="number"
                href={href(withQuery({ order: order.id }))}
                data-replace={current === null ? undefined : ''}
              >
                {order.id}
              </a>
            </td>
            <td>
              <Status of={order.status} />
            </td>
            <td>
              <a class="number" href={href(`/pets?pet=${order.petId}`)}>
                {String(order.petId)}
              </a>
            </td>
            <td class="wide">{order.reference}</td>
            <td class="wide">
              <Time at={order.placedAt} />
            </td>
            <td>
              {/* An order that was closed since stays in the list of those that are open, whose heading is another. */}
              {isPlaced !== (order.closedAt === undefined) && (isPlaced ? t.closedAt : t.timeLeft)}{' '}
              {order.closedAt === undefined ? <TimeLeft until={order.expiresAt} /> : <Time at={order.closedAt} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
