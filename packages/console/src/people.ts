import { keys } from './api.ts'
import { createNames } from './names.ts'
import { seen } from './seen.ts'
import { can, key } from './session.ts'
import { texts } from './texts.ts'

const names = createNames(async () => {
  await seen()
  return (await keys.names()).map(({ id, name }) => [id, name] as const)
})

/** So many characters of an id tell keys apart. */
const SHORT = 8

/** The name of a key; without `events:read`, or while it is unknown, the beginning of its id. Without an id, the service itself acted. */
export function nameOf(keyId: string | undefined) {
  if (keyId === undefined) return texts.common.service
  if (keyId === key.value?.id) return key.value.name
  return (can('events:read') ? names.get(keyId) : undefined) ?? `${keyId.slice(0, SHORT)}…`
}

/** Who did something, as a sentence says it: the name of the key, `You`, or the service. */
export const whoIs = (keyId: string | undefined) => (isYou(keyId) ? texts.common.you : nameOf(keyId))

export const isYou = (keyId: string | undefined) => keyId !== undefined && keyId === key.value?.id

/** All keys with a name, newest first, for a choice. Empty until they are read; `readPeople` reads them. @public */
export const people = names.all
/** @public */
export const readPeople = async () => {
  if (can('events:read')) await names.refresh()
}
