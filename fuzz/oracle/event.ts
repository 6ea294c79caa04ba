import { type Json, Literal } from './json.ts'
import { canonicalInt64 } from './new-pet.ts'
import { asOrder, between, isTime, sameOrder } from './order.ts'
import { asPetRecord, type PetRecord, sameRecord } from './pet-record.ts'
import type { Change, Order, World } from './world.ts'

/** An event as it is shown. */
export interface Event {
  id: string
  type: string
  /** Absent in a history. */
  sequence?: bigint
  /** Absent in what is about the whole store. */
  pet?: PetRecord
  order?: Order
  changed?: string
  /** The names of the fields whose former values it has. */
  previous?: string
  keyId?: string
}

const ORDER_TYPES = ['order.placed', 'order.completed', 'order.cancelled', 'order.expired']
const EVENT_TYPES = ['pet.created', 'pet.updated', 'pet.deleted', ...ORDER_TYPES, 'pets.imported']
const FIELDS = ['specversion', 'id', 'source', 'type', 'subject', 'time', 'sequence', 'data']
const DATA = ['pet', 'order', 'changed', 'previous', 'keyId', 'added', 'idRanges']
const IMPORT_DATA = ['added', 'idRanges']
const ID = /^evt_[A-Za-z0-9_-]{28}$/
// Of a sandbox it ends with `#test`.
const SOURCE = /\/v1(?:#test)?$/
const SEQUENCE = /^[0-9]{16}$/

/** The Event that a response shows; undefined when a field is missing, too many, or not in the one form it is written in. */
export function asEvent(value: Json): Event | undefined {
  if (!(value instanceof Map) || ![...value.keys()].every((key) => FIELDS.includes(key))) return undefined
  const [specversion, id, source, type, subject, time, sequence] = FIELDS.map((key) => textOf(value, key))
  const data = value.get('data')
  if (specversion !== '1.0' || id === undefined || !ID.test(id) || !SOURCE.test(source ?? '') || !isTime(time))
    return undefined
  if (type === undefined || !EVENT_TYPES.includes(type) || !(data instanceof Map)) return undefined
  if (value.has('sequence') && !SEQUENCE.test(sequence ?? '')) return undefined
  const content = asData(type, data)
  if (!content || subject !== (content.pet ? `pets/${content.pet.id}` : 'pets')) return undefined
  return { id, type, ...(sequence === undefined ? {} : { sequence: BigInt(sequence) }), ...content }
}

function asData(type: string, data: Map<string, Json>) {
  if (![...data.keys()].every((key) => DATA.includes(key))) return undefined
  const pet = data.has('pet') ? asPetRecord(data.get('pet') ?? null) : undefined
  const order = data.has('order') ? asOrder(data.get('order')) : undefined
  const added = data.get('added')
  const isCount = added instanceof Literal && canonicalInt64(added.text) !== undefined
  const isImport = type === 'pets.imported'
  if (isImport !== isCount || isImport === (pet !== undefined)) return undefined
  if ([...data.keys()].some((key) => IMPORT_DATA.includes(key) !== isImport)) return undefined
  if (ORDER_TYPES.includes(type) !== (order !== undefined) || data.has('order') !== (order !== undefined))
    return undefined
  const names = data.get('changed')
  if (data.has('changed') && !(Array.isArray(names) && names.every((name) => typeof name === 'string')))
    return undefined
  const previous = data.get('previous')
  if (data.has('previous') && !(previous instanceof Map)) return undefined
  const keyId = textOf(data, 'keyId')
  if (data.has('keyId') && keyId === undefined) return undefined
  return {
    ...(pet && { pet }),
    ...(order && { order }),
    ...(Array.isArray(names) && { changed: names.map(String).toSorted().join() }),
    ...(previous instanceof Map && { previous: [...previous.keys()].toSorted().join() }),
    ...(keyId !== undefined && { keyId }),
  }
}

/** Whether the event describes this change of a pet, and nothing else. */
export function tellsOf(event: Event, change: Change, { petId, orders }: World) {
  const { pet, order } = event
  if (event.type !== change.type || !pet || pet.id !== petId || !sameRecord(pet, change.pet)) return false
  if (event.changed !== change.changed || event.previous !== change.changed) return false
  if (change.orderId === undefined) return order === undefined
  const known = orders.get(change.orderId)
  if (!order || !known || !sameOrder(order, known) || `order.${order.status}` !== change.type) return false
  const isEnd = order.closedAt !== undefined && known.closedAt !== undefined
  return !isEnd || between(known.closedAt ?? '', order.closedAt ?? '') === 0
}

function textOf(value: Map<string, Json>, key: string) {
  const text = value.get(key)
  return typeof text === 'string' ? text : undefined
}
