// What a shop does with a pet: sell it, and hold it for a customer.
import type { PetPatch, PetRecord } from '@petstore/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { hasCode, isUncertain, orders } from '../../api.ts'
import { formatMoment } from '../../format.ts'
import { href } from '../../router.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { notify } from '../../ui/toast.tsx'
import { Held } from './held.tsx'
import { useOnce } from './once.ts'
import { OrderFloat, type OrderKind, type Wanted } from './order-form.tsx'
import { petOf, settled } from './records.ts'
import { explainRejection } from './rejections.ts'
import { complete, wasSold } from './sale.ts'

const { deal: t } = texts.pets
const { interrupted, offline } = texts.common

interface DealProps {
  pet: PetRecord
  showNote: (note: string | undefined) => void
  save: (patch: PetPatch, ifMatch: bigint) => Promise<void>
}

interface Form {
  kind: OrderKind
  /** One for as long as the form is open: however often it is sent, it places one order. */
  idempotencyKey: string
  fault?: string
  /** Its order is placed, but not known to be completed. */
  isHalf?: boolean
  /** Said in the panel if the pet is seen to be taken before the form is sent again: that may be by the order of this form. */
  ifTaken?: string | undefined
}

export function Deal({ pet, showNote, save }: DealProps) {
  const [form, setForm] = useState<Form>()
  const { isBusy, busy, once } = useOnce(() => showNote(undefined))
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const order = (wanted: Wanted, { kind, idempotencyKey }: Form) =>
    once(async () => {
      setForm({ kind, idempotencyKey })
      let isPlaced = false
      try {
        const placed = await orders.place({ petId: pet.id, ...wanted }, { idempotencyKey })
        isPlaced = true
        if (kind === 'sell') await complete(placed, showNote)
        else await reserved(pet, placed.id, placed.expiresAt, showNote)
        setForm(undefined)
      } catch (error) {
        const note = await explainRejection(pet.id, error)
        const now = petOf(pet.id)
        if (isPlaced && wasSold(pet, error, showNote)) return setForm(undefined)
        // Cancelled or expired before it was completed, or placed without a response before the person changed the form: its key would
        // return it for ever.
        const isReused = hasCode(error, 'idempotency_key_reused')
        const isOver = isReused || hasCode(error, 'order_closed')
        const isHalf = isPlaced && !isOver
        const isUnknown = isUncertain(error) && note === offline
        const half = isUnknown ? t.halfUnknown : t.half
        const fault = isReused ? interrupted : isHalf ? `${half(pet.name)} ${note}` : rejected(pet, error, note)
        const again = {
          kind,
          idempotencyKey: isOver ? crypto.randomUUID() : idempotencyKey,
          fault,
          isHalf,
          ifTaken: isHalf ? fault : isUncertain(error) ? interrupted : undefined,
        }
        // The same form tries again with the same key; if the pet is held by now, the panel shows by what.
        if (isShown.current && now?.status === 'available') setForm(again)
        else {
          setForm(undefined)
          showNote(again.ifTaken ?? fault)
        }
      }
    })
  const isOffered = pet.status === 'available' || isBusy
  // A form that an order has closed stays closed when that order ends.
  useEffect(() => {
    if (isOffered || !form) return
    setForm(undefined)
    if (form.isHalf && wasSold(pet, undefined, showNote)) return
    if (form.ifTaken !== undefined) showNote(form.ifTaken)
  }, [isOffered])
  if (pet.orderId !== undefined && !isBusy) return <Held pet={pet} orderId={pet.orderId} showNote={showNote} />
  if (!can('orders:write')) return null
  // While it is being sold, the events of its order must not close the form.
  if (!isOffered) return <NotOffered pet={pet} save={save} />
  const close = () => !busy.current && setForm(undefined)
  return (
    <div class="deal anchor">
      {(['sell', 'reserve'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          class={kind === 'sell' ? 'primary' : undefined}
          title={t.does[kind]}
          aria-haspopup="dialog"
          aria-expanded={form?.kind === kind}
          onClick={() => !busy.current && setForm({ kind, idempotencyKey: crypto.randomUUID() })}
        >
          {t[kind]}
        </button>
      ))}
      {form && (
        <OrderFloat
          key={form.kind}
          kind={form.kind}
          of={pet.name}
          isBusy={isBusy}
          fault={form.fault}
          onOrder={(wanted) => void order(wanted, form)}
          onClose={close}
        />
      )}
    </div>
  )
}

function rejected({ id, name }: PetRecord, error: unknown, note: string) {
  return hasCode(error, 'pet_not_available') && petOf(id)?.orderId !== undefined ? t.lost(name) : note
}

async function reserved(pet: PetRecord, orderId: string, until: string, showNote: DealProps['showNote']) {
  notify(t.reserved(pet.name, formatMoment(until)))
  await settled(pet.id, (now) => now?.orderId === orderId).catch(() => showNote(t.unread))
}

/** Why it can be neither sold nor reserved, and what makes it possible. */
function NotOffered({ pet, save }: Pick<DealProps, 'pet' | 'save'>) {
  return (
    <div class="not-offered">
      <p class="soft">{t.not[(pet.status ?? 'none') as keyof typeof t.not]}</p>
      {pet.status === 'sold'
        ? can('orders:read') && (
            <a class="button" href={href(`/orders?pet=${pet.id}`)}>
              {t.orders}
            </a>
          )
        : can('pets:edit') && (
            <button type="button" onClick={() => void save({ status: 'available' }, pet.version)}>
              {t.offer}
            </button>
          )}
    </div>
  )
}
