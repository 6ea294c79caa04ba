import { type OrderKey, PLACED_AT_MS } from '../../lib/order-id.ts'
import { updateStatement } from '../pets/changes.ts'
import { LOCKS } from '../postgres/locks.ts'
import { type Statement, type Transaction, type Transactional, WITHOUT_SEQ_SCAN } from '../postgres/statement.ts'

/** What takes the place of a name. */
export const ERASED_NAME = '(erased)'

/** Nothing was done: a request is changing the pet, or an event of it has no number yet. */
export class NotYet extends Error {
  override name = 'NotYet'
}

export interface PetErasure {
  /** Whether the pet exists. Its change has an event like any other. */
  exists: boolean
  /** In how many events the name was overwritten. */
  events: number
}

/**
 * Overwrites the name of a pet, and the names that it had, in its events. The place of each event stays, and its version. The sequencer
 * recognises the events that it has yet to number by their first row version, so no event is changed before it has its number; nor while
 * old events are being removed, which would then miss it. Nobody changes the pet meanwhile: its row is locked, or gone.
 */
export function erasePet(db: Transactional, id: bigint): Promise<PetErasure> {
  return db.transaction(async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    await transaction.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCKS.eventPruner] })
    const [pet] = await transaction.query<{ outcome: string }>(
      updateStatement([{ id, name: ERASED_NAME, condition: undefined }]),
    )
    const [unnumbered] = await transaction.query(unnumberedStatement(id))
    if (pet?.outcome === 'busy' || unnumbered) throw new NotYet(`the pet ${id} is being changed`)
    await forgetFingerprint(transaction, 'createPet', id, `select at from events where pet_id = $1 and version = 1`)
    const events = await transaction.query({
      text: `update events set name = $2 where pet_id = $1 and name <> $2 returning version`,
      values: [id, ERASED_NAME],
    })
    return { exists: pet?.outcome !== 'missing', events: events.length }
  })
}

function unnumberedStatement(id: bigint): Statement {
  return {
    text: `
      select version from events
      where pet_id = $1 and name <> $2 and xmin = transaction::xid
        and not pg_visible_in_snapshot(transaction, (select snapshot from feed_pages order by first desc limit 1))
      limit 1`,
    values: [id, ERASED_NAME],
  }
}

/** Removes the reference of an order, from which its events have it. Returns whether there is such an order. */
export function eraseOrder(db: Transactional, { petId, id }: OrderKey): Promise<boolean> {
  return db.transaction(async (transaction) => {
    await transaction.query(WITHOUT_SEQ_SCAN)
    const found = await transaction.query({
      text: 'update orders set reference = null where pet_id = $1 and id = $2 returning id',
      values: [petId, id],
    })
    const placedAt = `select timestamptz 'epoch' + ${PLACED_AT_MS} * interval '1 millisecond' from (values ($1::bigint)) as placed (id)`
    if (found.length > 0) await forgetFingerprint(transaction, 'placeOrder', id, placedAt)
    return found.length > 0
  })
}

/**
 * The fingerprint of a request with an Idempotency-Key is a hash that a guess of the text can be compared with. The key stays taken: a
 * retry creates nothing. It was stored when the row was created, which spares a look at all keys of the day.
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
