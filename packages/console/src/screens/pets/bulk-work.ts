// What is done with several pets: each by itself, so that one that is rejected keeps none of the others.
import type { PetPatch, PetRecord } from '@petstore/client'
import { explain, orders } from '../../api.ts'
import { texts } from '../../texts.ts'
import type { OrderKind, Wanted } from './order-form.tsx'
import { change, inverse, petOf, readPet, settled } from './records.ts'

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
        rejected.push({ pet, why: explain(error, { withRequestId: true }) })
        await readPet(pet.id).catch(() => {})
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
  return { done, rejected }
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
  )

/** One order for each pet, and completed at once if it is a sale. `keyOf`: the same for the same order of a pet. */
export const orderAll = (
  all: readonly PetRecord[],
  kind: OrderKind,
  wanted: Wanted,
  keyOf: (pet: PetRecord) => string,
) =>
  withEach<Changed>(all, async (was) => {
    const { id } = await orders.place({ petId: was.id, ...wanted }, { idempotencyKey: keyOf(was) })
    if (kind === 'sell') {
      try {
        await orders.complete(id)
      } catch (error) {
        await readPet(was.id).catch(() => {})
        return `${texts.pets.deal.half(was.name)} ${explain(error, { withRequestId: true })}`
      }
    }
    await settled(was.id, (pet) => (kind === 'sell' ? pet?.status === 'sold' : pet?.orderId === id)).catch(() => {})
    return { was, patch: { status: 'sold' }, pet: petOf(was.id) ?? was }
  })
