import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderKey } from '../lib/order-id.ts'
import {
  NotYet,
  eraseOrder as overwriteOrder,
  erasePet as overwritePet,
  type PetErasure,
} from '../storage/erasures/erase.ts'
import type { Context } from './context.ts'

export { ERASED_NAME } from '../storage/erasures/erase.ts'

// Events get their numbers within some tens of milliseconds, where a process serves.
const PAUSE_MS = 100
const MAX_ATTEMPTS = 50

/** Overwrites the name of a pet wherever it is stored. Undefined if it could not be done yet: see `NotYet`. */
export async function erasePet({ db }: Pick<Context, 'db'>, id: bigint): Promise<PetErasure | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      return await overwritePet(db, id)
    } catch (error) {
      if (!(error instanceof NotYet)) throw error
    }
    await sleep(PAUSE_MS)
  }
  return undefined
}

/** Removes the reference of an order wherever it is stored. Returns whether there is such an order. */
export function eraseOrder({ db }: Pick<Context, 'db'>, key: OrderKey) {
  return overwriteOrder(db, key)
}
