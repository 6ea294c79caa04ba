import type { OnBatch } from '../../lib/batch.ts'
import { insertEvents } from '../events/recorded.ts'
import { type KeyedInserts, openKeyedInserts } from '../idempotency/keyed-inserts.ts'
import type { KeyedOperation } from '../idempotency/statements.ts'
import type { Transactional, Writable } from '../postgres/statement.ts'
import { type NewPet, petColumns } from './pets.ts'

export type KeyedPets = KeyedInserts<NewPet>

export const KEYED_PETS: KeyedOperation<NewPet> = {
  operation: 'createPet',
  name: 'keyedPets',
  nextId: `nextval('pets_id_seq')`,
  columns: { name: 'text', category_id: 'bigint', status: 'text' },
  valuesOf: petColumns,
  insert: 'insert into pets (id, name, category_id, status) select id, name, category_id, status from claimed',
  record: insertEvents('(select *, 1 as version from claimed) as created', {
    type: `'pet.created'`,
    keyId: 'api_key_id',
  }),
}

export function openKeyedPets(db: Writable & Transactional, onBatch?: OnBatch): KeyedPets {
  return openKeyedInserts(db, KEYED_PETS, onBatch)
}
