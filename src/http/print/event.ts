import type { Event, EventPage, PreviousValues } from '../../domain/types/event.ts'
import { isoOf } from '../../lib/rfc3339.ts'
import { once } from './once.ts'
import { orderJson } from './order.ts'
import { petRecordJson } from './pet.ts'

const SEQUENCE_DIGITS = 16

/** What `Event` describes. `source` is the JSON of where events come from: the address of the service. */
function eventJson(event: Event, source: string) {
  const { id, petId, at, sequence, type } = event
  const subject = petId === 0n ? 'pets' : `pets/${petId}`
  const place = sequence === undefined ? '' : `,"sequence":"${sequence.padStart(SEQUENCE_DIGITS, '0')}"`
  return `{"specversion":"1.0","id":"${id}","source":${source},"type":"${type}","subject":"${subject}","time":"${isoOf(at / 1_000n)}"${place},"data":{${dataOf(event)}}}`
}

function dataOf({ pet, order, added, idRanges, changed, previous, keyId }: Event) {
  const parts = pet ? [`"pet":${petRecordJson(pet)}`] : [`"added":${added}`]
  if (idRanges)
    parts.push(`"idRanges":[${idRanges.map(({ first, last }) => `{"first":${first},"last":${last}}`).join()}]`)
  if (order) parts.push(`"order":${orderJson(order)}`)
  if (changed) parts.push(`"changed":["${changed.join('","')}"]`)
  if (previous) parts.push(`"previous":${previousJson(previous)}`)
  if (keyId) parts.push(`"keyId":${JSON.stringify(keyId)}`)
  return parts.join()
}

function previousJson({ name, categoryId, status }: PreviousValues) {
  const parts: string[] = []
  if (name !== undefined) parts.push(`"name":${JSON.stringify(name)}`)
  if (categoryId !== undefined) parts.push(`"categoryId":${categoryId}`)
  if (status !== undefined) parts.push(`"status":${JSON.stringify(status)}`)
  return `{${parts.join()}}`
}

/** Prints pages of events, for clients that read them. */
export function eventPagePrinter(source: string) {
  const quoted = JSON.stringify(source)
  return once(({ events }: EventPage) => `[${events.map((event) => eventJson(event, quoted)).join()}]`)
}

/** Prints events for receivers: each once, however many webhooks send it, and however often. */
export function eventPrinter(source: string) {
  const quoted = JSON.stringify(source)
  const printed = new WeakMap<Event, string>()
  return (event: Event) => {
    const json = printed.get(event) ?? eventJson(event, quoted)
    printed.set(event, json)
    return json
  }
}
