import type { Order } from '@petstore/client'
import { hasCode, orders } from '../api.ts'
import { formatMoment } from '../format.ts'
import { useLive } from '../live.ts'
import { href, withQuery } from '../router.ts'
import { can } from '../session.ts'
import { texts } from '../texts.ts'
import { NoScope } from '../ui/contact.tsx'
import { copyText } from '../ui/copy.tsx'
import { Fact } from '../ui/fact.tsx'
import { Who } from '../ui/initials.tsx'
import { Chip } from '../ui/named.tsx'
import { useNote } from '../ui/note.ts'
import { Pane } from '../ui/pane.tsx'
import { Skeleton, Stale } from '../ui/screen.tsx'
import { petState, Status } from '../ui/status.tsx'
import { LineLeft, Time, TimeLeft } from '../ui/time.tsx'
import { isOpen } from './orders-view.ts'
import { HoldActions } from './pets/held.tsx'
import { petName, petOf, readPets } from './pets/records.ts'

const { orders: t, common } = texts

async function load(id: string, signal: AbortSignal) {
  const order = await orders.get(id, { signal })
  await readPets([order.petId], signal)
  return order
}

export function OrderPane({ id }: { id: string }) {
  const live = useLive(
    (signal) => load(id, signal),
    [id],
    ({ data: { order, pet } }): boolean => {
      const known = live.data.peek()
      // Until the order has been read, its pet is unknown.
      if (!known) return live.error.peek() === undefined
      return order?.id === id || pet?.id === known.petId
    },
  )
  const order = live.data.value
  const pet = order && petOf(order.petId)
  const name = order ? petName(order.petId) : t.order
  const { note, showNote } = useNote(live, name)
  const isMissing = hasCode(live.error.value, 'order_not_found') || live.error.value instanceof TypeError
  return (
    <Pane label={t.order} title={<bdi>{name}</bdi>} closePath={withQuery({ order: undefined })}>
      {order && (
        <p class="summary">
          <Status of={order.status} />
          {pet && <Chip category={pet.categoryId} />}
          <span class="id">{String(order.petId)}</span>
        </p>
      )}
      <p role="alert" class={note && 'notice warn'}>
        {note}
      </p>
      {isMissing ? <p>{t.missing}</p> : <Stale live={live} />}
      {order && isOpen(order) && (
        <div class="hold-box">
          <div class="hold-facts">
            <div>
              <span class="soft">{t.timeLeft}</span>
              <TimeLeft until={order.expiresAt} />
            </div>
            <span class="soft">{texts.pets.deal.heldUntil(formatMoment(order.expiresAt))}</span>
          </div>
          <LineLeft from={order.placedAt} until={order.expiresAt} />
          {can('orders:write') ? (
            <HoldActions pet={{ id: order.petId, name }} orderId={id} showNote={showNote} onEnded={live.refresh} />
          ) : (
            <p class="hint">
              <NoScope scope="orders:write" />
            </p>
          )}
        </div>
      )}
      {order ? <Facts order={order} /> : live.error.value === undefined && <Skeleton rows={4} />}
    </Pane>
  )
}

function Facts({ order }: { order: Order }) {
  const { id, petId, status, reference, placedBy, closedAt, closedBy } = order
  const pet = petOf(petId)
  return (
    <dl class="facts">
      <Fact name={t.forWhom}>
        {reference === undefined ? <span class="soft">{t.noReference}</span> : <bdi>{reference}</bdi>}
      </Fact>
      {/* Orders of earlier versions do not have it, nor who ended them. */}
      {placedBy !== undefined && (
        <Fact name={t.by.placed}>
          <Who keyId={placedBy} />
        </Fact>
      )}
      <Fact name={t.at.placed}>
        <Time at={order.placedAt} />
      </Fact>
      {closedAt !== undefined && (
        <>
          <Fact name={t.at[status]}>
            <Time at={closedAt} />
          </Fact>
          {closedBy !== undefined && (status === 'completed' || status === 'cancelled') && (
            <Fact name={t.by[status]}>
              <Who keyId={closedBy} />
            </Fact>
          )}
        </>
      )}
      <Fact name={t.pet}>
        <div class="row">
          <a href={href(`/pets?pet=${petId}`)}>
            <bdi>{pet?.name ?? String(petId)}</bdi>
          </a>
          {pet && <Status of={petState(pet)} />}
        </div>
        {pet === null && <p class="hint">{t.petDeleted}</p>}
        {pet?.orderId !== undefined && pet.orderId !== id && (
          <p>
            {t.heldBy}{' '}
            <a class="number" href={href(withQuery({ order: pet.orderId }))}>
              {pet.orderId}
            </a>
          </p>
        )}
        <a class="hint" href={href(`/orders?pet=${petId}`)}>
          {t.showOfPet}
        </a>
      </Fact>
      <Fact name={t.order}>
        <span class="id number">{id}</span>{' '}
        <button type="button" class="link" onClick={() => void copyText(id)}>
          {common.copy}
        </button>
      </Fact>
    </dl>
  )
}
