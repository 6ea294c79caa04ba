import { Batcher } from '../../lib/batch.ts'
import { BATCHES } from '../postgres/batches.ts'
import type { Writable } from '../postgres/statement.ts'
import { touch } from './keys.ts'

/** When keys were last used. A convenience for the operator, never a reason to delay or reject a request. */
export interface KeyUses {
  note: (keyId: string) => void
}

const MAX_TOUCHES = 1_000

/** Sends one statement at a time, for all keys that are due: while commits are not acknowledged, each statement occupies a connection. */
export function openKeyUses(db: Writable): KeyUses {
  const touches = new Batcher({
    ...BATCHES,
    name: 'keys.touch',
    maxItems: MAX_TOUCHES,
    keyOf: (id: string) => id,
    send: async (ids, deadline) => {
      await touch(db, ids, deadline)
      return ids
    },
  })
  return { note: (keyId) => void touches.submit(keyId).catch(() => {}) }
}
