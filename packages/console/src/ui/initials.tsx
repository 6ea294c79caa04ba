import { initialsOf } from '../format.ts'
import { isYou, nameOf, whoIs } from '../people.ts'

interface WhoProps {
  keyId: string | undefined
  /** Unless it is known already. */
  name?: string
  isShort?: boolean
}

/** A person: initials for the eye, the name for everyone. `isShort`: where the name stands beside it anyway. */
export function Who({ keyId, name = nameOf(keyId), isShort = false }: WhoProps) {
  return (
    <span class="who" title={isShort || keyId === undefined ? undefined : `${name} · ${keyId}`}>
      <span class={isYou(keyId) ? 'initials you' : 'initials'} aria-hidden="true">
        {initialsOf(name)}
      </span>
      {!isShort && <bdi class="one-line">{whoIs(keyId)}</bdi>}
    </span>
  )
}
