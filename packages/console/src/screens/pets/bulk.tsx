import type { PetPatch } from '@petstore/client'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatMoment } from '../../format.ts'
import { texts } from '../../later-texts.ts'
import { href } from '../../router.ts'
import { can } from '../../session.ts'
import { CategoryField } from '../../ui/category-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { notify } from '../../ui/toast.tsx'
import { returnFocus } from '../table-rows.ts'
import { type Changed, changeAll, orderAll, type Rejection, undoAll } from './bulk-work.ts'
import { OrderFloat, type OrderKind, type Wanted } from './order-form.tsx'
import { petPath } from './place.ts'
import { petOf } from './records.ts'
import type { Selection } from './table.tsx'

const { pets: t, bulk, common } = texts
/** The number of reasons in a toast. */
const MAX_REASONS = 3

export interface BulkResult {
  /** The changes that succeeded, in words. */
  done: string
  rejected: readonly Rejection[]
  /** What to undo them does, in a sentence. */
  note?: string
  undo?: (() => void) | undefined
  undoLabel?: string
}

interface Wording extends Pick<BulkResult, 'note' | 'undoLabel'> {
  words: (n: number) => string
  /** It can't be undone from here. */
  isFinal?: boolean
}

export interface BulkProps {
  /** Pets of this page, each of which the person has marked. */
  selection: Selection
  outcome: Signal<BulkResult | undefined>
}

/** What can be done with the selected pets, over the list: it moves no row. */
export function Bulk({ selection, outcome }: BulkProps) {
  const isBusy = useSignal(false)
  const [form, setForm] = useState<OrderKind>()
  const { isShown, report } = useReport(outcome)
  const keys = useRef(new Map<string, string>())
  const selected = [...selection.value].map(petOf).filter((pet) => !!pet)

  const run = async (
    work: () => Promise<{ done: Changed[]; rejected: Rejection[] }>,
    { words, note, undoLabel, isFinal = false }: Wording,
  ) => {
    if (isBusy.value) return
    isBusy.value = true
    outcome.value = undefined
    const { done: changed, rejected } = await work()
    isBusy.value = false
    setForm(undefined)
    selection.value = new Set(rejected.map(({ pet }) => pet.id))
    if (selection.value.size === 0 && isShown()) returnFocus(selected[0]?.id)
    const result = {
      done: words(changed.length),
      undo: changed.length > 0 && !isFinal ? () => void undo(changed, report) : undefined,
      ...(undoLabel !== undefined && { undoLabel }),
      ...(note !== undefined && changed.length > 0 && { note }),
    }
    if (rejected.length > 0) report({ ...result, rejected })
    else notify(note === undefined ? result.done : `${result.done}. ${note}`, result)
  }
  const mark = (patch: PetPatch) => void run(() => changeAll(selected, patch), { words: bulk.changed })
  const order = (kind: OrderKind, wanted: Wanted) => {
    // The length is in whole seconds: a moment before 18:00 is 18:00.
    const until = new Date(Date.now() + ((wanted.expiresIn ?? 0) + 1) * 1_000)
    void run(
      () => orderAll(selected, kind, wanted, keys.current),
      kind === 'sell'
        ? { words: bulk.sold, note: bulk.soldNote, undoLabel: bulk.takeBack }
        : { words: (n) => bulk.reserved(n, wanted.reference, formatMoment(until)), isFinal: true },
    )
  }
  if (selected.length === 0) return null
  return (
    <section class="bulk" aria-label={bulk.label} aria-busy={isBusy.value}>
      <strong role="status">{bulk.selected(selected.length)}</strong>
      {can('orders:write') && (
        <div class="anchor row">
          {(['reserve', 'sell'] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              class={kind === 'reserve' ? 'primary' : undefined}
              aria-haspopup="dialog"
              aria-expanded={form === kind}
              onClick={() => setForm(kind)}
            >
              {kind === 'reserve' ? t.deal.reserve : bulk.sell}
            </button>
          ))}
          {form && (
            <OrderFloat
              key={form}
              kind={form}
              of={bulk.pets(selected.length)}
              isBusy={isBusy.value}
              fault={undefined}
              onOrder={(wanted) => order(form, wanted)}
              onClose={() => setForm(undefined)}
            />
          )}
        </div>
      )}
      <Menu
        label={bulk.status}
        class=""
        items={(['available', 'pending'] as const).map((status) => ({
          label: bulk.markAs(t.status[status]),
          run: () => mark({ status }),
        }))}
      >
        {bulk.status}
        <Icon of="down" isSmall />
      </Menu>
      <CategoryField
        label={bulk.category}
        placeholder={bulk.category}
        class="up"
        value={undefined}
        onChoose={(categoryId) => categoryId !== undefined && mark({ categoryId })}
      />
      <button
        type="button"
        class="link"
        onClick={() => {
          selection.value = new Set()
          returnFocus(selected[0]?.id)
        }}
      >
        {common.clear}
      </button>
    </section>
  )
}

/** Reports the outcome for the pets: on their page while it is shown, else as a toast. */
function useReport(outcome: Signal<BulkResult | undefined>) {
  const shown = useRef<typeof outcome | undefined>(undefined)
  useLayoutEffect(() => {
    shown.current = outcome
    return () => {
      shown.current = undefined
    }
  }, [outcome])
  const isShown = () => shown.current === outcome
  const report = (value: BulkResult) => {
    if (isShown()) outcome.value = value
    else notify(summary(value), { ...value, isError: true })
  }
  return { isShown, report }
}

function summary({ done, rejected, note = '' }: BulkResult) {
  const reasons = rejected.slice(0, MAX_REASONS).map(({ pet, why }) => bulk.reason(pet.name, why))
  if (rejected.length > MAX_REASONS) reasons.push('…')
  return [bulk.outcome(done, rejected.length), ...reasons, note].join(' ').trim()
}

async function undo(changed: readonly Changed[], report: (outcome: BulkResult) => void) {
  const back = await undoAll(changed)
  const done = bulk.undone(back.done.length)
  if (back.rejected.length > 0) report({ done, rejected: back.rejected })
  else notify(done)
}

/** The outcome for each pet, until it is dismissed. */
export function BulkOutcome({ outcome }: { outcome: Signal<BulkResult | undefined> }) {
  const { value } = outcome
  const close = () => {
    outcome.value = undefined
    returnFocus(value?.rejected[0]?.pet.id)
  }
  const takeBack =
    value?.undo &&
    (() => {
      close()
      value.undo?.()
    })
  useEffect(() => takeBack && notify('', { undo: takeBack, isError: true, isElsewhere: true }), [value])
  return (
    <div class={value && 'notice warn outcome'} role="alert">
      {value && (
        <>
          <div>
            {bulk.outcome(value.done, value.rejected.length)}
            <ul>
              {value.rejected.map(({ pet, why }) => (
                <li key={String(pet.id)}>
                  <a href={href(petPath(pet.id))} dir="auto">
                    {pet.name}
                  </a>
                  : {why}
                </li>
              ))}
            </ul>
            {value.note}
          </div>
          {takeBack && (
            <button type="button" class="link" aria-keyshortcuts="Control+Z Meta+Z" onClick={takeBack}>
              {value.undoLabel ?? common.undo}
            </button>
          )}
          <button type="button" class="bare" aria-label={common.dismiss} onClick={close}>
            <Icon of="close" />
          </button>
        </>
      )}
    </div>
  )
}
