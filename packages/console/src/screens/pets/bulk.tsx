import type { PetPatch, PetRecord } from '@petstore/client'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { explain } from '../../api.ts'
import { href } from '../../router.ts'
import { texts } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { PET_STATUSES } from '../../ui/status.tsx'
import { notify } from '../../ui/toast.tsx'
import { petPath } from './place.ts'
import { change, inverse, petOf, readPet } from './records.ts'
import { returnFocus, type Selection } from './table.tsx'

const { pets: t, common } = texts
/** Requests at a time; more would only wait in the browser. */
const AT_ONCE = 6
/** The number of reasons in a toast. */
const MAX_REASONS = 3

interface Rejection {
  pet: PetRecord
  why: string
}

export interface BulkResult {
  /** The changes that succeeded, in words. */
  done: string
  rejected: readonly Rejection[]
  undo?: (() => void) | undefined
}

interface BulkProps {
  /** Pets of this page, each of which the person has marked. */
  selection: Selection
  outcome: Signal<BulkResult | undefined>
}

/** Changes the status of the selected pets, each on condition that it is as shown. */
export function Bulk({ selection, outcome }: BulkProps) {
  const isBusy = useSignal(false)
  const { isShown, report } = useReport(outcome)
  const selected = [...selection.value].map(petOf).filter((pet) => !!pet)
  const mark = async (status: (typeof PET_STATUSES)[number]) => {
    if (isBusy.value) return
    isBusy.value = true
    outcome.value = undefined
    const { changed, rejected } = await changeAll(selected.map((pet) => ({ pet, patch: { status } })))
    isBusy.value = false
    selection.value = new Set(rejected.map(({ pet }) => pet.id))
    if (selection.value.size === 0 && isShown()) returnFocus(selected[0]?.id)
    const done = t.bulk.changed(changed.length)
    const takeBack = changed.length > 0 ? () => void undo(changed, report) : undefined
    if (rejected.length > 0) report({ done, rejected, undo: takeBack })
    else notify(done, { undo: takeBack })
  }
  if (selected.length === 0) return null
  return (
    <section class="bulk" aria-label={t.bulk.label}>
      <strong role="status">{t.bulk.selected(selected.length)}</strong>
      {PET_STATUSES.map((status) => (
        <button key={status} type="button" aria-disabled={isBusy.value} onClick={() => void mark(status)}>
          {t.bulk.markAs(t.status[status])}
        </button>
      ))}
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
    else notify(summary(value), { isError: true, undo: value.undo })
  }
  return { isShown, report }
}

function summary({ done, rejected }: BulkResult) {
  const reasons = rejected.slice(0, MAX_REASONS).map(({ pet, why }) => t.bulk.reason(pet.name, why))
  return [t.bulk.outcome(done, rejected.length), ...reasons].join(' ') + (rejected.length > MAX_REASONS ? ' …' : '')
}

async function undo(changed: readonly Done[], report: (outcome: BulkResult) => void) {
  const back = await changeAll(changed.map(({ was, patch, pet }) => ({ pet, patch: inverse(was, patch) })))
  const done = t.bulk.undone(back.changed.length)
  if (back.rejected.length > 0) report({ done, rejected: back.rejected })
  else notify(done)
}

interface Wanted {
  pet: PetRecord
  patch: PetPatch
}

interface Done extends Wanted {
  was: PetRecord
}

async function changeAll(wanted: readonly Wanted[]) {
  const changed: Done[] = []
  const rejected: Rejection[] = []
  const rest = [...wanted]
  const work = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) {
      const { pet: was, patch } = next
      try {
        changed.push({ was, patch, pet: await change(was.id, patch, was.version) })
      } catch (error) {
        rejected.push({ pet: was, why: explain(error, { withRequestId: true }) })
        await readPet(was.id).catch(() => {})
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { changed, rejected }
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
            {t.bulk.outcome(value.done, value.rejected.length)}
            <ul>
              {value.rejected.map(({ pet, why }) => (
                <li key={String(pet.id)}>
                  <a href={href(petPath(pet.id))}>{pet.name}</a>: {why}
                </li>
              ))}
            </ul>
          </div>
          {takeBack && (
            <button type="button" class="link" aria-keyshortcuts="Control+Z Meta+Z" onClick={takeBack}>
              {common.undo}
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
