import { go, href, leave, place, withQuery } from '../../router.ts'
import { readView } from './view.ts'

export const petPath = (id: bigint) => withQuery({ pet: String(id) })

/** One entry of the history for the panel, whichever pets are opened in it one after the other. */
export function openPet(id: bigint, current: bigint | undefined) {
  go(petPath(id), { replace: current !== undefined })
}

/** The pet in the panel, also for what began when another one was. */
export const currentPet = () => (place.peek().path === '/pets' ? readView(place.peek().query).pet : undefined)

/** Back to the list from which the pet was opened; if it was not opened from it, to the list without the pet. */
export const closePet = () => leave(withQuery({ pet: undefined }))

export const petLink = (id: bigint) => `${location.origin}${href('/pets')}?pet=${id}`
