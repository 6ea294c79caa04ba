import type { PetRecord } from '@petstore/client'
import { useId, useMemo, useState } from 'preact/hooks'
import { explain, hasCode, orders, pets } from '../../api.ts'
import { feedState } from '../../feed.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { notify } from '../../ui/toast.tsx'
import { markDeleted, petOf, readPet } from './records.ts'

const { panel: t } = texts.pets

interface ActionsProps {
  pet: PetRecord
  showNote: (note: string | undefined) => void
  /** Reads the pet again, and says what went wrong. */
  explainRejection: (error: unknown) => Promise<string>
  onDeleted: () => void
}

export function PetActions({ pet, showNote, explainRejection, onDeleted }: ActionsProps) {
  const [isAsking, setAsking] = useState(false)
  const id = useId()
  const isHeld = pet.orderId !== undefined
  const remove = async () => {
    setAsking(false)
    showNote(undefined)
    try {
      await pets.delete(pet.id, { ifMatch: pet.version })
      notify(t.deleted(pet.name))
      onDeleted()
      markDeleted(pet.id)
    } catch (error) {
      showNote(await explainRejection(error))
    }
  }
  return (
    <div>
      <div class="row">
        <Reserve pet={pet} showNote={showNote} explainRejection={explainRejection} reason={`${id}-reserve`} />
        <button
          type="button"
          disabled={!can('pets:delete')}
          aria-disabled={isHeld}
          aria-describedby={`${id}-delete`}
          onClick={() => !isHeld && setAsking(true)}
        >
          {t.delete}
        </button>
      </div>
      <p class="hint" id={`${id}-reserve`}>
        {can('orders:write') && !isAvailable(pet) && t.notAvailable}
      </p>
      <p class="hint" id={`${id}-delete`}>
        {can('pets:delete') && isHeld && t.heldDelete}
      </p>
      {isAsking && (
        <Confirm
          title={t.deleteTitle(pet.name)}
          text={t.deleteText(pet.name, pet.id)}
          action={t.delete}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

const isAvailable = (pet: PetRecord) => pet.status === 'available'

interface ReserveProps extends Pick<ActionsProps, 'pet' | 'showNote' | 'explainRejection'> {
  /** The id of the element that says why not. */
  reason: string
}

function Reserve({ pet, showNote, explainRejection, reason }: ReserveProps) {
  const [isBusy, setBusy] = useState(false)
  // The same for as long as the pet is as it is: pressed twice, it makes one order.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [pet.id, pet.version])
  const reserve = async () => {
    if (isBusy || !isAvailable(pet)) return
    setBusy(true)
    showNote(undefined)
    if (await place()) {
      notify(t.reserved(pet.name))
      // Its event brings the pet.
      if (feedState.peek() !== 'live') await readPet(pet.id).catch(() => showNote(t.reservedUnread))
    }
    setBusy(false)
  }
  /** Whether there is an order now. */
  const place = async () => {
    try {
      await orders.place({ petId: pet.id }, { idempotencyKey })
      return true
    } catch (error) {
      const note = await explainRejection(error)
      const winner = petOf(pet.id)?.orderId
      showNote(hasCode(error, 'pet_not_available') && winner !== undefined ? t.lost(explain(error), winner) : note)
      return false
    }
  }
  // Not `disabled` once it is reserved: that would lose the focus.
  return (
    <button
      type="button"
      disabled={!can('orders:write')}
      aria-disabled={!isAvailable(pet)}
      aria-busy={isBusy}
      aria-describedby={reason}
      onClick={() => void reserve()}
    >
      {t.reserve}
    </button>
  )
}
