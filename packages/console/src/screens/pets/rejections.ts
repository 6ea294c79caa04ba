import type { PetPatch, PetRecord } from '@petstore/client'
import { events, explain, hasCode, isUncertain } from '../../api.ts'
import { readPeople, whoIs } from '../../people.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { notify } from '../../ui/toast.tsx'
import { change, eventOf, readPet, upsertEvent } from './records.ts'

const { panel: t } = texts.pets

/** The pet is read again before anything is said, so that it is true when it is read. */
export async function explainRejection(id: bigint, error: unknown, conflict = t.conflict) {
  // Nothing was changed, and a read would be rejected too.
  if (hasCode(error, 'rate_limited')) return explain(error)
  const isRead = await readPet(id).then(
    () => true,
    () => false,
  )
  if (isRead && hasCode(error, 'version_mismatch')) return conflict(await lastToChange(id))
  if (isRead && isUncertain(error)) return texts.common.interrupted
  return explain(error, { withRequestId: true })
}

async function lastToChange(id: bigint) {
  if (!can('events:read')) return t.anotherUser
  try {
    if (!eventOf(id, 'version')) (await events.newest({ petId: id, limit: 1 }).page()).events.forEach(upsertEvent)
    await readPeople()
  } catch {
    // The name of the person is not worth an error of its own.
  }
  return nameOfLast(id, 'version')
}

/** Who made a field what it is now, as far as events say. */
export function nameOfLast(id: bigint, field: 'name' | 'version') {
  const event = eventOf(id, field)
  return event ? whoIs(event.data.keyId) : t.anotherUser
}

/** The change that takes another one back, on the version that it has made. */
export async function takeBack(
  pet: PetRecord,
  patch: PetPatch,
  showNote: (text: string) => void,
  undone: (name: string) => string = t.undone,
) {
  try {
    const { name } = await change(pet.id, patch, pet.version)
    notify(undone(name))
  } catch (error) {
    showNote(await explainRejection(pet.id, error, t.changedSince))
  }
}
