import { ERASED_NAME } from '../../domain/types/pet.ts'
import { type OrderKey, PLACED_AT_MS } from '../../lib/ids/order-id.ts'
import { wordsOf } from '../../lib/words.ts'
import { updateStatement } from '../pets/changes.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Transaction, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'
import { removeWords, withWords } from '../search/written-words.ts'

/** Nothing was done: a request is changing the pet. */
export class PetBusy extends Error {
  override name = 'PetBusy'
}

export interface PetErasure {
  /** Whether the pet exists. Its change has an event like any other. */
  exists: boolean
  /** In how many events the name was overwritten. */
  events: number
}

/**
 * Overwrites the name of a pet, and its earlier names in its events, which keep their places and versions. The lock of the event pruner is
 * held, since that would miss events that change, and that of the words, which may be making those of the old name. No request changes the
 * pet meanwhile: its row is locked, or gone.
 */
export function erasePet(db: Transactional, id: bigint): Promise<PetErasure> {
  return db.transaction(async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    for (const lock of [LOCKS.words, LOCKS.eventPruner])
      await transaction.query({ text: 'select pg_advisory_xact_lock($1)', values: [lock] })
    const [pet] = await transaction.query<{ outcome: string }>(
      updateStatement([withWords({ id, name: ERASED_NAME, condition: undefined })]),
    )
    if (pet?.outcome === 'busy') throw new PetBusy(`the pet ${id} is being changed`)
    await forgetWords(transaction, id)
    await forgetFingerprint(transaction, 'createPet', id, `select at from events where pet_id = $1 and version = 1`)
    const events = await transaction.query({
      text: `update events set name = $2 where pet_id = $1 and name <> $2 returning version`,
      values: [id, ERASED_NAME],
    })
    await transaction.query({
      text: `update events set previous_name = $2 where pet_id = $1 and previous_name <> $2`,
      values: [id, ERASED_NAME],
    })
    await forgetResponses(transaction)
    return { exists: pet?.outcome !== 'missing', events: events.length }
  })
}

/** Removes the words of the names that the pet has had; its update has added the last one to those that are stale. */
async function forgetWords(transaction: Transaction, id: bigint) {
  const names = await transaction.query<{ name: string }>({
    text: `
      with stale as (delete from stale_names where pet_id = $1 returning name)
      select name from stale union select name from events where pet_id = $1 and name <> $2`,
    values: [id, ERASED_NAME],
  })
  const present = wordsOf(ERASED_NAME)
  const words = names.flatMap(({ name }) => wordsOf(name)).filter((word) => !present.includes(word))
  await removeWords(transaction, [{ id, words }])
}

/** Removes the reference of an order, and so of its events, which read it from there. Returns whether the order exists. */
export function eraseOrder(db: Transactional, { petId, id }: OrderKey): Promise<boolean> {
  return db.transaction(async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    const found = await transaction.query({
      text: 'update orders set reference = null where pet_id = $1 and id = $2 returning id',
      values: [petId, id],
    })
    const placedAt = `select timestamptz 'epoch' + ${PLACED_AT_MS} * interval '1 millisecond' from (values ($1::bigint)) as placed (id)`
    if (found.length > 0) {
      await forgetFingerprint(transaction, 'placeOrder', id, placedAt)
      await forgetResponses(transaction)
    }
    return found.length > 0
  })
}

/**
 * Removes what receivers have responded: it may repeat an event. Webhooks are locked first, and in a statement of its own, so that the
 * next one sees what was stored while this one waited. A process that stores attempts passes over those that are locked.
 */
async function forgetResponses(transaction: Transaction) {
  await transaction.query({ text: 'select from webhooks order by id for no key update' })
  await transaction.query({
    text: 'update webhook_attempts set response_body = null where response_body is not null',
  })
}

/**
 * Overwrites the fingerprint of a request with an Idempotency-Key: it is a hash, with which a guess of the erased text could be verified.
 * The key stays in use, so that a retry creates nothing. The key was stored when the row was created, so only the keys of two minutes are
 * searched.
 */
async function forgetFingerprint(transaction: Transaction, operation: string, id: bigint, createdAt: string) {
  await transaction.query({
    text: `
      update idempotency_keys set fingerprint = sha256(convert_to(gen_random_uuid()::text, 'UTF8'))
      from (${createdAt}) as created (at)
      where created_at between at - interval '1 minute' and at + interval '1 minute' and pet_id = $1 and operation = $2`,
    values: [id, operation],
  })
}
