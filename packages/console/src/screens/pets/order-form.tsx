import type { NewOrder } from '@petstore/client'
import { useRef, useState } from 'preact/hooks'
import { formatMoment } from '../../format.ts'
import { closingOn } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Field } from '../../ui/field.tsx'
import { Float } from '../../ui/float.tsx'
import { useTick } from '../../ui/time.tsx'

const { deal: t } = texts.pets

export type OrderKind = 'sell' | 'reserve'
export type Wanted = Omit<NewOrder, 'petId'>

const MINUTE_MS = 60_000
/** What the service has if nothing is asked for. */
const DEFAULT_MINUTES = 15
/** The longest that the service allows. */
const LONGEST_MS = 30 * 24 * 60 * MINUTE_MS
const LENGTHS = ['short', 'hour', 'closing', 'other'] as const
type Length = (typeof LENGTHS)[number]

interface OrderFormProps {
  /** What its button says, if it sells; if not, it reserves and says until when. */
  sell?: string
  isBusy: boolean
  fault: string | undefined
  /** Called with the same order again if nothing was changed in the form since. */
  onOrder: (order: Wanted) => void
}

interface OrderFloatProps extends Omit<OrderFormProps, 'sell'> {
  kind: OrderKind
  /** What is ordered. */
  of: string
  onClose: () => void
}

/** The form at the button that has opened it. */
export function OrderFloat({ kind, of, onClose, ...form }: OrderFloatProps) {
  const title = kind === 'sell' ? t.sellNow(of) : t.reserveTitle(of)
  return (
    <Float label={title} role="dialog" class="form" onClose={onClose}>
      {kind === 'reserve' && <p class="form-title">{title}</p>}
      <OrderForm {...form} {...(kind === 'sell' && { sell: title })} />
    </Float>
  )
}

/** A reference, and how long it holds if it is a reservation. */
function OrderForm({ sell, isBusy, fault, onOrder }: OrderFormProps) {
  const order = useRef<Wanted | undefined>(undefined)
  const [length, setLength] = useState<Length>('short')
  const [moment, setMoment] = useState(() => localTime(tomorrow(closingOn(new Date()))))
  const [reference, setReference] = useState('')
  const [momentFault, setMomentFault] = useState<string>()
  useTick(sell === undefined ? 10_000 : undefined)
  const now = new Date()
  const until = untilOf(length, moment, now)
  const isReal = until.getTime() > now.getTime() && until.getTime() - now.getTime() <= LONGEST_MS
  const submit = (form: HTMLFormElement) => {
    if (isBusy) return
    if (sell === undefined && !isReal) {
      setMomentFault(t.momentFault)
      form.querySelector<HTMLElement>('[type=datetime-local]')?.focus()
      return
    }
    const whom = reference.trim()
    // What is sent again must not differ: by it and its key the service knows that it is one order.
    order.current ??= {
      ...(whom !== '' && { reference: whom }),
      ...(sell === undefined && { expiresIn: Math.round((until.getTime() - Date.now()) / 1_000) }),
    }
    onOrder(order.current)
  }
  return (
    <form
      noValidate
      aria-busy={isBusy}
      onInput={() => {
        order.current = undefined
        setMomentFault(undefined)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      <Field
        label={sell === undefined ? t.forWhom : t.sellReference}
        value={reference}
        maxLength={255}
        placeholder={t.referenceHint}
        hint={sell === undefined ? undefined : t.does.sell}
        onInput={(event) => setReference(event.currentTarget.value)}
      />
      {sell === undefined && (
        <fieldset class="lengths">
          <legend>{t.howLong}</legend>
          {LENGTHS.filter((name) => name !== 'closing' || closingOn(now) > now).map((name) => (
            <label key={name}>
              <input type="radio" name="length" checked={length === name} onChange={() => setLength(name)} />
              <span>{t.lengths[name]}</span>
            </label>
          ))}
        </fieldset>
      )}
      {length === 'other' && (
        <Field
          label={t.until}
          type="datetime-local"
          value={moment}
          min={localTime(now)}
          fault={momentFault}
          onInput={(event) => setMoment(event.currentTarget.value)}
        />
      )}
      <p class="fault" role="alert">
        {fault}
      </p>
      {/* Not `disabled` while it is busy: that would lose the focus. */}
      <button type="submit" class="primary" aria-disabled={isBusy}>
        {sell ?? t.reserveUntil(isReal ? formatMoment(until, now) : '…')}
      </button>
    </form>
  )
}

function untilOf(length: Length, moment: string, now: Date) {
  if (length === 'other') return new Date(moment)
  if (length === 'closing') return closingOn(now)
  return new Date(now.getTime() + (length === 'hour' ? 60 : DEFAULT_MINUTES) * MINUTE_MS)
}

function tomorrow(day: Date) {
  const next = new Date(day)
  next.setDate(next.getDate() + 1)
  return next
}

/** As a field for a date and time has it. */
const localTime = (when: Date) =>
  new Date(when.getTime() - when.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
