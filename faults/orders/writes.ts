import { createPetstore, type Petstore, PetstoreError } from '../../packages/client/src/index.ts'
import { type Crash, POINTS } from '../failpoints.ts'
import { fetchWithoutKey } from '../load.ts'
import type { BuyersRecord, Ending, Span } from './record.ts'

/** A pet that a process is killed over. */
export interface Subject {
  petId: bigint
  reference: string
  /** Placed beforehand, for writes that need an order. */
  orderId?: string
}

/** One kind of write, and how to continue after its process was killed. */
export interface Write extends Omit<Crash, 'point'> {
  name: string
  points: readonly Crash['point'][]
  /** Whether an order must be open. */
  needsOrder?: boolean
  /** Whether a call before has used the key. */
  isReplay?: boolean
  /** The write itself. Records what it was told; sent again after the crash if that is safe. */
  send: (store: Petstore, record: BuyersRecord, subject: Subject) => Promise<unknown>
  isRepeatable: boolean
}

/** The outcome of a call whose process was killed; it cannot be known. */
const LOST = ['connection_failed', 'unavailable']

export const WRITES: Write[] = [
  {
    name: 'update',
    statement: 'pets.update',
    method: 'PATCH',
    points: POINTS.write,
    isRepeatable: false,
    send: async ({ pets }, { edited }, { petId, reference }) => {
      const { result, ...span } = await attempt(() => pets.update(petId, { name: `${reference} edited` }))
      edited.push({ petId, version: result?.version, ...span })
      return result
    },
  },
  {
    name: 'delete',
    statement: 'pets.delete',
    method: 'DELETE',
    points: POINTS.write,
    isRepeatable: false,
    send: async ({ pets }, { deleted, perhapsDeleted }, { petId }) => {
      const { result } = await attempt(async () => {
        await pets.delete(petId)
        return true
      })
      ;(result ? deleted : perhapsDeleted).push(petId)
      return result
    },
  },
  {
    name: 'place without a key',
    statement: 'orders.place',
    method: 'POST',
    points: POINTS.write,
    isRepeatable: false,
    send: async (store, record, subject) => await place(store, record, subject),
  },
  keyedPlace('place with a key', POINTS.write),
  { ...keyedPlace('place again with a key', POINTS.replay), isReplay: true },
  ending('complete', 'completed'),
  ending('cancel', 'cancelled'),
]

/** Nobody asks for it, so there is nothing to send. */
export const EXPIRY = { name: 'expire', statement: 'orders.expire', points: POINTS.job }

/** A client that never retries; of these writes only one must not have a key. */
export function storeAt(baseUrl: string, key: string, { name }: Write): Petstore {
  const fetchOf = name === 'place without a key' ? fetchWithoutKey : fetch
  return createPetstore({ baseUrl, key, retries: 0, fetch: fetchOf })
}

function keyedPlace(name: string, points: Write['points']): Write {
  return { name, statement: 'keyedOrders.store', method: 'POST', points, isRepeatable: true, send: place }
}

async function place({ orders }: Petstore, { placed }: BuyersRecord, subject: Subject) {
  const { petId, reference } = subject
  const { result, ...span } = await attempt(() => orders.place({ petId, reference }, { idempotencyKey: reference }))
  if (!result) return undefined
  const { id: orderId, expiresAt } = result
  if (subject.orderId !== undefined && subject.orderId !== orderId)
    throw new Error(`"${reference}" placed ${subject.orderId}, and then ${orderId}`)
  subject.orderId = orderId
  placed.push({ orderId, petId, reference, expiresAt, ...span })
  return result
}

function ending(name: 'complete' | 'cancel', as: Ending): Write {
  return {
    name,
    statement: 'orders.close',
    method: 'POST',
    points: POINTS.write,
    needsOrder: true,
    isRepeatable: true,
    send: async ({ orders }, { ended }, { orderId = '' }) => {
      const { result, ...span } = await attempt(() => orders[name](orderId))
      ended.push({ orderId, as, result: result ? 'acknowledged' : 'unknown', ...span })
      return result
    },
  }
}

/** The result of a call, if there was one; errors other than a lost connection are thrown. */
async function attempt<Result>(call: () => Promise<Result>): Promise<Span & { result?: Result }> {
  const begun = performance.now()
  try {
    const result = await call()
    return { begun, at: performance.now(), result }
  } catch (error) {
    if (!(error instanceof PetstoreError && LOST.includes(error.code))) throw error
    return { begun, at: performance.now() }
  }
}
