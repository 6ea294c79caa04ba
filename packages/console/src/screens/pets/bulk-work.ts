// What is done with several pets: each by itself, so that one that is rejected keeps none of the others.
import type { PetPatch, PetRecord } from '@petstore/client'
import { hasCode, isUncertain, orders } from '../../api.ts'
import { texts } from '../../later-texts.ts'
import type { OrderKind, Wanted } from './order-form.tsx'
import { change, inverse, petOf, settled } from './records.ts'
import { explainRejection } from './rejections.ts'

/** Requests at a time; more would only wait in the browser. */
const AT_ONCE = 6

export interface Rejection {
  pet: PetRecord
  why: string
}

export interface Changed {
  was: PetRecord
  patch: PetPatch
  pet: PetRecord
}

/** `work` resolves with a text if it did a part only. */
async function withEach<Done extends object>(
  all: readonly PetRecord[],
  work: (pet: PetRecord) => Promise<Done | string>,
  conflict?: (who: string) => string,
) {
  const done: Done[] = []
  const rejected: Rejection[] = []
  const rest = [...all]
  const run = async () => {
    for (let pet = rest.shift(); pet; pet = rest.shift()) {
      try {
        const result = await work(pet)
        if (typeof result === 'string') rejected.push({ pet, why: result })
        else done.push(result)
      } catch (error) {
        rejected.push({ pet, why: await reasonOf(pet, error, conflict) })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
  return { done, rejected }
}

/** Why a pet was not changed, once it is shown as it is. */
async function reasonOf({ id }: PetRecord, error: unknown, conflict?: (who: string) => string) {
  const why = await explainRejection(id, error, conflict)
  return hasCode(error, 'idempotency_key_reused') ? texts.bulk.alreadyOrdered : why
}

/** Each on condition that it is as it was shown. */
export const changeAll = (all: readonly PetRecord[], patch: PetPatch) =>
  withEach<Changed>(all, async (was) => ({ was, patch, pet: await change(was.id, patch, was.version) }))

export const undoAll = (changed: readonly Changed[]) =>
  withEach(
    changed.map(({ pet }) => pet),
    (pet) => {
      const { was, patch } = changed.find((one) => one.pet === pet) as Changed
      return change(pet.id, inverse(was, patch), pet.version)
    },
    texts.pets.panel.changedSince,
  )

/**
 * One order for each pet, and completed at once if it is a sale. `keys`: those of orders of which it is not known what became of them; the
 * same order that is sent again is placed once.
 */
export const orderAll = (all: readonly PetRecord[], kind: OrderKind, wanted: Wanted, keys: Map<string, string>) =>
  withEach<Changed>(all, async (was) => {
    const order = [kind, was.id, wanted.reference].join()
    const idempotencyKey = keys.get(order) ?? crypto.randomUUID()
    keys.set(order, idempotencyKey)
    let isPlaced = false
    try {
      const { id } = await orders.place({ petId: was.id, ...wanted }, { idempotencyKey })
      isPlaced = true
      if (kind === 'sell') await orders.complete(id)
      await settled(was.id, (pet) => (kind === 'sell' ? pet?.status === 'sold' : pet?.orderId === id)).catch(() => {})
    } catch (error) {
      // Cancelled or expired before it was completed.
      const isOver = hasCode(error, 'order_closed')
      if (isOver || !(isPlaced || isUncertain(error))) keys.delete(order)
      if (!isPlaced || isOver) throw error
      const why = await reasonOf(was, error)
      // While its order holds it, nothing else can have sold it.
      if (petOf(was.id)?.status !== 'sold') return `${texts.pets.deal.half(was.name)} ${why}`
    }
    keys.delete(order)
    // Its own order may have held it before, when no response had said so.
    return { was: { ...was, status: 'available' }, patch: { status: 'sold' }, pet: petOf(was.id) ?? was }
  })
