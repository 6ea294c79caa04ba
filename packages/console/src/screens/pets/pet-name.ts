import { texts } from '../../texts.ts'

const LONGEST = 255

/** What the service would reject in a name; the rest it says itself. */
export function nameFault(name: string) {
  const { length } = Array.from(name)
  if (!/[^\p{White_Space}\p{Cf}\p{Cc}]/u.test(name)) return texts.pets.addForm.nameMissing
  return length > LONGEST ? texts.pets.addForm.nameLong(length) : undefined
}
