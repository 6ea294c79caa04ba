import { asEvent } from './oracle/event.ts'
import { readJson } from './oracle/json.ts'
import { asPet } from './oracle/new-pet.ts'
import { asPetRecord } from './oracle/pet-record.ts'
import type { HttpResponse } from './response.ts'
import { nextPage } from './shown.ts'

/** A response in a story was not the one that the contract demands. */
export class Broken extends Error {}

/** Whether each pet is complete has been checked with the response; this compares which ones it contains. */
export function comparePets(response: HttpResponse, due: bigint[], more: boolean | undefined) {
  const shown = items(response).map((item) => (asPet(item) ?? asPetRecord(item))?.id)
  const stranger = shown.find((id) => id !== undefined && !due.includes(id))
  if (stranger !== undefined)
    throw new Broken(`the list contains ${stranger}, which no response has confirmed or which does not match`)
  const missing = due.find((id) => !shown.includes(id))
  if (missing !== undefined) throw new Broken(`the list lacks ${missing}`)
  if (more !== undefined && more !== (nextPage(response) !== undefined))
    throw new Broken(
      more ? 'more pets follow, but the page has no next link' : 'the page has a next link, but no pet follows',
    )
}

export function eventsIn(response: HttpResponse) {
  return items(response).flatMap((item) => asEvent(item) ?? [])
}

export function cursorIn(response: HttpResponse) {
  return new URLSearchParams(nextPage(response)).get('cursor') ?? ''
}

export function compareTexts(a: string, b: string) {
  return a < b ? -1 : Number(a > b)
}

export function items({ body }: HttpResponse) {
  const value = readJson(body)
  return Array.isArray(value) ? value : []
}
