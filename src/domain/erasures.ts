import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderKey } from '../lib/ids/order-id.ts'
import {
  eraseOrder as overwriteOrder,
  erasePet as overwritePet,
  PetBusy,
  type PetErasure,
} from '../storage/erasures/erase.ts'
import type { Store } from './store.ts'

// A request changes a pet within some milliseconds.
const PAUSE_MS = 100
const MAX_ATTEMPTS = 50

/** Overwrites the name of a pet wherever it is stored. Undefined if requests are changing it all the time. */
export async function erasePet({ db }: Pick<Store, 'db'>, id: bigint): Promise<PetErasure | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    try {
      return await overwritePet(db, id)
    } catch (error) {
      if (!(error instanceof PetBusy)) throw error
    }
    await sleep(PAUSE_MS)
  }
  return undefined
}

/** Removes the reference of an order wherever it is stored. Returns whether there is such an order. */
export function eraseOrder({ db }: Pick<Store, 'db'>, key: OrderKey) {
  return overwriteOrder(db, key)
}
