import type { Order, OrderStatus } from '@petstore/client'
import { go, withQuery } from '../router.ts'
import { texts } from '../texts.ts'
import { copyText } from '../ui/copy.tsx'
import { Who } from '../ui/initials.tsx'
import { Named } from '../ui/named.tsx'
import { Status } from '../ui/status.tsx'
import { Time, TimeLeft } from '../ui/time.tsx'
import { isOpen } from './orders-view.ts'
import { petName, petOf } from './pets/records.ts'
import { opens, useChange } from './table-rows.ts'

const { orders: t } = texts

/** The end of an id tells orders apart: its beginning is the same all day. */
const SHORT = 6

interface TableProps {
  rows: readonly Order[]
  /** That of all rows; undefined if they differ. */
  status: OrderStatus | undefined
  /** The order in the panel. */
  current: string | undefined
}

/** The pet first, then for whom. */
export function OrderTable({ rows, status, current }: TableProps) {
  return (
    <table class="orders">
      <thead>
        <tr>
          <th scope="col">{t.pet}</th>
          <th scope="col">{t.forWhom}</th>
          {status === undefined && (
            <th scope="col" class="state">
              {t.state}
            </th>
          )}
          <th scope="col" class="by wide">
            {t.by[status ?? 'placed']}
          </th>
          <th scope="col" class={status === undefined || status === 'placed' ? 'at wide' : 'at'}>
            {t.at[status ?? 'placed']}
          </th>
          {status === 'placed' && (
            <th scope="col" class="ends">
              {t.timeLeft}
            </th>
          )}
          <th scope="col" class="short wide">
            {t.order}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((order) => (
          <Row key={order.id} order={order} status={status} current={current} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ order, status, current }: Omit<TableProps, 'rows'> & { order: Order }) {
  const { id, petId, reference, placedAt, closedAt = placedAt } = order
  // Orders of earlier versions do not have it.
  const by = status === 'completed' || status === 'cancelled' ? order.closedBy : order.placedBy
  const isClosed = status !== undefined && status !== 'placed'
  const path = withQuery({ order: id })
  // One entry of the history, whichever orders are opened one after the other.
  const open = opens(() => go(path, { replace: current !== undefined }), 'button')
  // What ends an order changes its pet.
  const version = petOf(petId)?.version ?? (isOpen(order) ? 0n : 1n)
  return (
    <tr class={useChange(version)} aria-current={id === current ? 'true' : undefined} onClick={open}>
      <td>
        <Named name={petName(petId)} id={petId} path={path} isRow />
      </td>
      <td>
        {reference === undefined ? (
          <span class="soft">{t.noReference}</span>
        ) : (
          <bdi class="whom" title={reference}>
            {reference}
          </bdi>
        )}
      </td>
      {status === undefined && (
        <td>
          <Status of={order.status} />
        </td>
      )}
      <td class="wide">{by !== undefined && <Who keyId={by} />}</td>
      <td class={isClosed ? undefined : 'wide'}>
        <Time at={isClosed ? closedAt : placedAt} isShort />
      </td>
      {status === 'placed' && (
        // An order that has ended since stays where it was.
        <td>{isOpen(order) ? <TimeLeft until={order.expiresAt} /> : <Status of={order.status} />}</td>
      )}
      <td class="wide">
        <button type="button" class="link id number" tabIndex={-1} title={id} onClick={() => void copyText(id)}>
          {id.slice(-SHORT)}
        </button>
      </td>
    </tr>
  )
}
