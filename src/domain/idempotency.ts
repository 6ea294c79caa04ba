import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../lib/batch.ts'
import { REQUEST_TIMES } from '../lib/times.ts'
import type { IdempotentResult } from '../storage/idempotency/inserts.ts'
import type { Idempotent } from '../storage/idempotency/stored-keys.ts'
import { DatabaseBusy, DatabaseUnavailable } from '../storage/postgres/failures.ts'
import { DomainError } from './errors.ts'
import type { Principal } from './principal.ts'

/** A create that may be repeated with its key, `input` as it is stored. */
export type IdempotentRequest<Input> = Pick<Idempotent<Input>, 'key' | 'fingerprints' | 'input'>

// How long to wait while another request stores the key. Random, so that not all requests that wait for it return at once.
const PAUSE_MS = { least: 20, most: 100 }

/**
 * Creates a resource once for this key: a request that repeats the key with the same input gets the id that was created first.
 * While the first request is still being stored, the others wait for it. All keys of a rotation chain share their idempotency
 * keys; each operation has its own.
 */
export async function createOnce<Input>(
  /** Throws for an input that the database does not allow. */
  insert: (item: Idempotent<Input>, caller?: Caller) => Promise<IdempotentResult>,
  { keyId, chainId }: Principal,
  request: IdempotentRequest<Input>,
  caller?: Caller,
): Promise<{ id: bigint; isReplay: boolean; keyId: string }> {
  const attempt = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  const item = { ...request, apiKeyId: keyId, chainId, attempt }
  const deadline = (caller?.begun ?? performance.now()) + REQUEST_TIMES.requestMs
  let result = await insert(item, caller)
  while (result.outcome === 'in progress') {
    const pause = PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least)
    if (performance.now() + pause >= deadline) throw inProgress()
    await sleep(pause)
    // Neither reported as busy, which would mean that nothing was done, while the other request may have done it; nor as unavailable,
    // where it is the deadline that has cut the attempt off.
    result = await insert(item, caller).catch((error: unknown) => {
      const isCutOff = error instanceof DatabaseUnavailable && performance.now() >= deadline
      throw error instanceof DatabaseBusy || isCutOff ? inProgress() : error
    })
  }
  if (result.outcome === 'unread') throw result.error
  if (result.outcome === 'reused') throw new DomainError('idempotency_key_reused', { kind: 'idempotency key reused' })
  if (result.outcome === 'replayed') return { id: result.id, isReplay: true, keyId: result.keyId }
  return { id: result.id, isReplay: false, keyId }
}

/** Equal for equal input: the values that identify it, in a fixed order. */
export function fingerprintOf(values: readonly (string | null)[]) {
  return hash('sha256', JSON.stringify(values))
}

function inProgress() {
  return new DomainError('idempotency_in_progress', { kind: 'idempotency key in use' })
}
