import type { Order, PetRecord } from '@petstore/client'
import { useState } from 'preact/hooks'
import { explain, hasCode, isUncertain, orders, pets } from '../api.ts'
import { type Live, useLive } from '../live.ts'
import { href, withQuery } from '../router.ts'
import { can } from '../session.ts'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { Chip } from '../ui/named.tsx'
import { useNote } from '../ui/note.ts'
import { Pane } from '../ui/pane.tsx'
import { Skeleton, Stale } from '../ui/screen.tsx'
import { petState, Status } from '../ui/status.tsx'
import { Time, TimeLeft } from '../ui/time.tsx'
import { notify } from '../ui/toast.tsx'

const { orders: t, common } = texts

interface Shown {
  order: Order
  /** Undefined if it was deleted, or if the key can't read pets. */
  pet: PetRecord | undefined
}

async function load(id: string, signal: AbortSignal): Promise<Shown> {
  const order = await orders.get(id, { signal })
  if (!can('pets:read')) return { order, pet: undefined }
  const { pets: found } = await pets.list({ ids: [order.petId], view: 'full', signal }).page()
  return { order, pet: found[0] }
}

export function OrderPane({ id }: { id: string }) {
  const live: Live<Shown> = useLive(
    (signal) => load(id, signal),
    [id],
    ({ data: { order, pet } }) => {
      const known = live.data.peek()
      // Until the order has been read, its pet is unknown.
      if (!known) return live.error.peek() === undefined
      return order?.id === id || pet?.id === known.order.petId
    },
  )
  const shown = live.data.value
  const isMissing = hasCode(live.error.value, 'order_not_found') || live.error.value instanceof TypeError
  return (
    <Pane title={t.title} closePath={withQuery({ order: undefined })}>
      <p class="summary id">{id}</p>
      {isMissing ? <p>{t.missing}</p> : <Stale live={live} />}
      {shown ? (
        <>
          <Facts {...shown} />
          <Actions order={shown.order} onChange={(order) => live.expect((was) => ({ ...was, order }))} live={live} />
        </>
      ) : (
        live.error.value === undefined && <Skeleton rows={4} />
      )}
    </Pane>
  )
}

function Facts({ order, pet }: Shown) {
  const isHeldByAnother = pet?.orderId !== undefined && pet.orderId !== order.id
  return (
    <dl class="facts">
      <Fact name={t.state}>
        <Status of={order.status} />
      </Fact>
      {order.status === 'placed' && (
        <Fact name={t.timeLeft}>
          <TimeLeft until={order.expiresAt} />
        </Fact>
      )}
      <Fact name={t.pet}>
        <a href={href(`/pets?pet=${order.petId}`)}>
          {pet && `${pet.name} · `}
          <span class="number">{String(order.petId)}</span>
        </a>
        {pet ? (
          <>
            {' '}
            <Chip category={pet.categoryId} /> <Status of={petState(pet)} />
          </>
        ) : (
          can('pets:read') && <p class="hint">{t.petDeleted}</p>
        )}
        {isHeldByAnother && (
          <p>
            {t.heldBy}{' '}
            <a class="number" href={href(withQuery({ order: pet.orderId }))}>
              {pet.orderId}
            </a>
          </p>
        )}
      </Fact>
      <Fact name={t.reference}>{order.reference ?? <span class="soft">{t.noReference}</span>}</Fact>
      <Fact name={t.placedAt}>
        <Time at={order.placedAt} />
        <By keyId={order.placedBy} />
      </Fact>
      {order.closedAt !== undefined && (
        <Fact name={t.closedAt}>
          <Time at={order.closedAt} />
          <By keyId={order.closedBy} />
        </Fact>
      )}
      <Fact name={t.ofThisPet}>
        <a href={href(`/orders?pet=${order.petId}`)}>{t.showOfPet}</a>
      </Fact>
    </dl>
  )
}

/** The key that did it; nothing where the service or its operator acted. */
function By({ keyId }: { keyId: string | undefined }) {
  if (keyId === undefined) return null
  return (
    <p class="hint">
      {t.byKey} <span class="number">{keyId}</span>
    </p>
  )
}

interface ActionsProps {
  order: Order
  onChange: (order: Order) => void
  live: Live<Shown>
}

function Actions({ order, onChange, live }: ActionsProps) {
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { note, showNote } = useNote(live.refresh)
  const mayWrite = can('orders:write')
  const end = async (how: 'complete' | 'cancel') => {
    setAsking(false)
    if (isBusy) return
    setBusy(true)
    showNote(undefined)
    try {
      const ended = await orders[how](order.id)
      onChange(ended)
      notify(t.ended[how](String(ended.petId)))
    } catch (error) {
      // The order is read again first, so that the message appears beside its present state.
      await live.refresh()
      const isRead = live.error.peek() === undefined
      showNote(isRead && isUncertain(error) ? common.interrupted : explain(error, { withRequestId: true }))
    }
    setBusy(false)
  }
  return (
    <>
      <p role="alert" class={note && 'notice warn'}>
        {note}
      </p>
      {order.status === 'placed' && (
        <div class="row">
          {/* Not `disabled` while it is busy: that would lose the focus. */}
          <button
            type="button"
            class="primary"
            disabled={!mayWrite}
            aria-disabled={isBusy}
            onClick={() => void end('complete')}
          >
            {t.complete}
          </button>
          <button type="button" disabled={!mayWrite} aria-disabled={isBusy} onClick={() => !isBusy && setAsking(true)}>
            {t.cancel}
          </button>
          {!mayWrite && <p class="hint">{common.noScope('orders:write')}</p>}
        </div>
      )}
      {isAsking && (
        <Confirm
          title={t.cancelTitle}
          text={t.cancelText(String(order.petId))}
          action={t.cancel}
          onConfirm={() => void end('cancel')}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
