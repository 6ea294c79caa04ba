import type { PetRecord, PetstoreEvent } from '@petstore/client'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { findPets, soldLast } from '../../find-pets.ts'
import { useRows } from '../../live.ts'
import { createRows } from '../../live-rows.ts'
import type { Rows } from '../../rows.ts'
import { keepHold } from './holds.ts'
import { currentPet } from './place.ts'
import { added, replaceAll, upsert, upsertEvent } from './records.ts'
import { MAX_IDS, matches, type View } from './view.ts'

export const PAGE = 50

export type PetRows = Rows<PetRecord>
export type PetList = ReturnType<typeof createPetList>

export const idsOf = ({ shown }: PetRows) => shown.map(({ id }) => id)

/** The pets that a view lists. Which rows there are is known here, and what is in them by `petOf`. */
export function usePetList(view: View): PetList {
  const list = useRows(() => createPetList(view), [view.key])
  useEffect(() => {
    const { value: pet } = added
    // The person knows that it is new.
    if (!list.data.peek() || !pet || view.after !== undefined || !matches(view, pet)) return
    upsert([pet])
    list.include(pet)
  }, [list, added.value])
  return list
}

function createPetList(view: View) {
  const { status, category: categoryId, ids, name, after } = view
  const filter = { status, categoryId, ids, name, ...(name === undefined && { sort: view.sort }) }
  const isOldest = view.sort === 'oldest'
  /** Not all pets can be found by their names yet. */
  const isPartial = signal(false)
  const rows = createRows<PetRecord, PetstoreEvent>({
    idOf: ({ id }) => id,
    // The order of a search is that of the words that were found; what is new in it waits above all others.
    compare: (a, b) => (name !== undefined || a.id > b.id !== isOldest ? -1 : 1),
    versionOf: ({ version }) => version,
    isLaterPage: after !== undefined,
    read: async (ending, cursor = after) => {
      const page = await findPets({ ...filter, signal: ending }, PAGE, cursor)
      isPartial.value = page.isPartial
      // Further pages join those that are kept.
      if (cursor !== after) upsert(page.rows)
      return name === undefined ? page : { ...page, rows: soldLast(page.rows) }
    },
    // They match no longer, or were pushed to the next page, or were deleted.
    reread: async (gone, ending) => {
      const found: PetRecord[] = []
      for (let n = 0; n < gone.length; n += MAX_IDS) {
        const wanted = gone.slice(n, n + MAX_IDS).map(({ id }) => id)
        found.push(...(await findPets({ ids: wanted, signal: ending }, MAX_IDS)).rows)
      }
      const known = new Set(found.map(({ id }) => id))
      upsert(
        found,
        gone.map(({ id }) => id).filter((id) => !known.has(id)),
      )
      return found
    },
    apply: (event) => {
      upsertEvent(event)
      const { pet, order } = event.data
      if (order) keepHold(order)
      return pet && { row: pet, isMatch: event.type !== 'pet.deleted' && matches(view, pet) }
    },
    keep: (found, isAll) => (isAll ? replaceAll(found, currentPet()) : upsert(found)),
  })
  return {
    ...rows,
    isPartial,
    receive: (events: readonly PetstoreEvent[]) => {
      rows.receive(events)
      // The event has at most the ids of the pets, and not which of them match.
      if (events.some(({ type }) => type === 'pets.imported')) void rows.refresh()
    },
  }
}
