import type { Order } from '@petstore/client'
import { orders } from '../../api.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { notify } from '../../ui/toast.tsx'
import { petOf, settled } from './records.ts'
import { takeBack } from './rejections.ts'

const { deal: t, panel } = texts.pets

type ShowNote = (note: string | undefined) => void

/** Rejects if the order was not completed, or if no response says that it was. */
export async function complete({ id, petId }: Pick<Order, 'id' | 'petId'>, showNote: ShowNote) {
  const name = petOf(petId)?.name ?? panel.titleOf(petId)
  await orders.complete(id)
  await settled(petId, (pet) => pet?.status === 'sold').catch(() => showNote(t.unread))
  notifySold(petId, name, showNote)
}

/** To take the sale back is to change the pet, on the version that the sale has made. */
export function notifySold(petId: bigint, name: string, showNote: ShowNote) {
  const pet = petOf(petId)
  const undo =
    pet?.status === 'sold' &&
    can('pets:edit') &&
    (() => void takeBack(pet, { status: 'available' }, showNote, t.takenBack))
  if (undo) notify(t.sold(name), { undo, undoLabel: t.takeBack })
  else notify(t.soldForGood(name))
}
