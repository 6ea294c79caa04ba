import { digits, stringify } from './json.ts'
import type { NewOrder, NewPet, NewWebhook, PetPatch, WebhookPatch } from './kinds.ts'

export function writeNewPet({ name, categoryId, status }: NewPet) {
  if (typeof name !== 'string') throw new TypeError('`name` is required: a string.')
  digits('categoryId', categoryId)
  return stringify({ categoryId, name, status })
}

/** Picks the fields of a record that can be changed. */
export function writePatch({ name, categoryId, status }: PetPatch) {
  if (categoryId !== undefined) digits('categoryId', categoryId)
  return stringify({ name, categoryId, status })
}

export function writeNewOrder({ petId, expiresIn, reference }: NewOrder) {
  digits('petId', petId)
  return stringify({ petId, expiresIn, reference })
}

export function writeNewWebhook({ url, types, name }: NewWebhook) {
  if (typeof url !== 'string') throw new TypeError('`url` is required: a string.')
  return stringify({ url, types, name })
}

export function writeWebhookPatch({ url, types, name, state, cursor }: WebhookPatch) {
  return stringify({ url, types, name, state, cursor })
}
