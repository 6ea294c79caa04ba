import type { Order, PetRecord } from '@petstore/client'
import { hasCode, orders } from '../../api.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { notify } from '../../ui/toast.tsx'
import { petName, petOf, settled } from './records.ts'
import { takeBack } from './rejections.ts'

const { deal: t } = texts.pets

type ShowNote = (note: string | undefined) => void

/** Rejects if the order was not completed, or if no response says that it was. */
export async function complete({ id, petId }: Pick<Order, 'id' | 'petId'>, showNote: ShowNote) {
  const name = petName(petId)
  await orders.complete(id)
  await settled(petId, (pet) => pet?.status === 'sold').catch(() => showNote(t.unread))
  notifySold(petId, name, showNote)
}

/** After a completion without a response: whether the pet is sold all the same. While its order holds it, nothing else can have sold it. */
export function wasSold({ id, name }: Pick<PetRecord, 'id' | 'name'>, error: unknown, showNote: ShowNote) {
  if (petOf(id)?.status !== 'sold' || hasCode(error, 'order_closed')) return false
  notifySold(id, name, showNote)
  return true
}

/** To take the sale back is to change the pet, on the version that the sale has made. */
function notifySold(petId: bigint, name: string, showNote: ShowNote) {
  const pet = petOf(petId)
  const undo =
    pet?.status === 'sold' &&
    can('pets:edit') &&
    (() => void takeBack(pet, { status: 'available' }, showNote, t.takenBack))
  if (undo) notify(t.sold(name), { undo, undoLabel: t.takeBack })
  else notify(t.soldForGood(name))
}
