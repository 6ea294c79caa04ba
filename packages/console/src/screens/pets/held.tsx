import type { PetRecord } from '@petstore/client'
import { useState } from 'preact/hooks'
import { orders } from '../../api.ts'
import { formatMoment } from '../../format.ts'
import { useLive } from '../../live.ts'
import { href } from '../../router.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Who } from '../../ui/initials.tsx'
import { Stale } from '../../ui/screen.tsx'
import { LineLeft, TimeLeft } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'
import { useOnce } from './once.ts'
import { settled } from './records.ts'
import { explainRejection } from './rejections.ts'
import { complete, wasSold } from './sale.ts'

const { deal: t } = texts.pets

interface HeldProps {
  pet: Pick<PetRecord, 'id' | 'name'>
  orderId: string
  showNote: (note: string | undefined) => void
  /** Before it is said how it ended, and also if it has not. */
  onEnded?: () => Promise<void>
}

/** For whom it is held, by whom and how long still, and the two ways on. */
export function Held(props: HeldProps) {
  return (
    <div class="hold-box">
      {can('orders:read') && <Hold key={props.orderId} id={props.orderId} />}
      {/* What was asked about one order is not done to the next. */}
      {can('orders:write') && <HoldActions key={props.orderId} {...props} />}
    </div>
  )
}

function Hold({ id }: { id: string }) {
  // While it holds the pet, nothing of it changes.
  const live = useLive(
    (signal) => orders.get(id, { signal }),
    [id],
    () => false,
  )
  const order = live.data.value
  if (!order) return <Stale live={live} />
  return (
    <>
      <div class="hold-facts">
        <div>
          <span class="soft">{order.reference === undefined ? t.heldWithout : t.held}</span>
          <a href={href(`/orders?order=${id}`)} dir="auto">
            {order.reference ?? texts.pets.panel.order}
          </a>
        </div>
        <TimeLeft until={order.expiresAt} />
      </div>
      <LineLeft from={order.placedAt} until={order.expiresAt} />
      <div class="hold-facts soft">
        <Who keyId={order.placedBy} />
        <span>{t.heldUntil(formatMoment(order.expiresAt))}</span>
      </div>
    </>
  )
}

/** Complete sale, and Release, which asks first. */
export function HoldActions({ pet, orderId, showNote, onEnded }: HeldProps) {
  const [isAsking, setAsking] = useState(false)
  const { isBusy, once } = useOnce(() => showNote(undefined))
  const end = (how: 'complete' | 'cancel') => {
    setAsking(false)
    return once(async () => {
      try {
        if (how === 'complete') await complete({ id: orderId, petId: pet.id }, showNote)
        else {
          await orders.cancel(orderId)
          notify(t.released(pet.name))
          await settled(pet.id, (now) => now?.orderId !== orderId).catch(() => showNote(t.unread))
        }
        await onEnded?.()
      } catch (error) {
        const note = await explainRejection(pet.id, error)
        await onEnded?.()
        if (how === 'cancel' || !wasSold(pet, error, showNote)) showNote(note)
      }
    })
  }
  return (
    <div class="deal">
      {/* Not `disabled` while it is busy: that would lose the focus. */}
      <button
        type="button"
        class="primary"
        title={t.does.complete}
        aria-disabled={isBusy}
        onClick={() => void end('complete')}
      >
        <Icon of="check" isSmall />
        {t.complete}
      </button>
      <button type="button" title={t.does.release} aria-disabled={isBusy} onClick={() => !isBusy && setAsking(true)}>
        {t.release}
      </button>
      {isAsking && (
        <Confirm
          title={t.releaseTitle(pet.name)}
          text={t.releaseText(pet.name)}
          action={t.releasePet}
          keep={t.keep}
          onConfirm={() => void end('cancel')}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
