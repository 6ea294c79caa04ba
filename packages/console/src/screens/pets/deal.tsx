// What a shop does with a pet: sell it, and hold it for a customer.
import type { PetPatch, PetRecord } from '@petstore/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { explain, hasCode, orders } from '../../api.ts'
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
        // Cancelled or expired before it was completed: its key would return it for ever.
        const isOver = hasCode(error, 'order_closed')
        const fault = isPlaced && !isOver ? t.half(pet.name, note) : rejected(error, note, now?.orderId !== undefined)
        const again = { kind, idempotencyKey: isOver ? crypto.randomUUID() : idempotencyKey, fault }
        // The same form tries again with the same key; if the pet is held by now, the panel shows by what.
        if (isShown.current && now?.status === 'available') setForm(again)
        else {
          setForm(undefined)
          showNote(fault)
        }
      }
    })
  const isOffered = pet.status === 'available' || isBusy
  // A form that another person's order has closed stays closed when that order ends.
  useEffect(() => {
    if (!isOffered) setForm(undefined)
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

function rejected(error: unknown, note: string, isHeld: boolean) {
  if (hasCode(error, 'pet_not_available') && isHeld) return `${explain(error)} ${t.lost}`
  return note
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
