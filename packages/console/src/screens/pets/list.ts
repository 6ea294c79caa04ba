import type { PetRecord, PetstoreEvent } from '@petstore/client'
import { useEffect } from 'preact/hooks'
import { pets } from '../../api.ts'
import { useRows } from '../../live.ts'
import { createRows } from '../../live-rows.ts'
import type { Rows } from '../../rows.ts'
import { currentPet } from './place.ts'
import { added, replaceAll, upsert, upsertEvent } from './records.ts'
import { matches, type View } from './view.ts'

const PAGE = 50

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
  const filter = {
    status: view.status,
    categoryId: view.category,
    ids: view.ids,
    view: 'full',
    sort: 'newest',
  } as const
  const rows = createRows<PetRecord, PetstoreEvent>({
    idOf: ({ id }) => id,
    compare: (a, b) => (a.id > b.id ? -1 : 1),
    versionOf: ({ version }) => version,
    isLaterPage: view.after !== undefined,
    read: async (signal) => {
      const { pets: found, next } = await pets.list({ ...filter, limit: PAGE, signal }).page(view.after)
      return { rows: found, next }
    },
    // They match no longer, or were pushed to the next page, or were deleted.
    reread: async (gone, signal) => {
      const ids = gone.map(({ id }) => id)
      const { pets: found } = await pets.list({ ids, view: 'full', limit: 100, signal }).page()
      upsert(
        found,
        ids.filter((id) => !found.some((pet) => pet.id === id)),
      )
      return found
    },
    apply: (event) => {
      upsertEvent(event)
      const { pet } = event.data
      return pet && { row: pet, isMatch: event.type !== 'pet.deleted' && matches(view, pet) }
    },
    keep: (found, isAll) => (isAll ? replaceAll(found, currentPet()) : upsert(found)),
  })
  return {
    ...rows,
    receive: (events: readonly PetstoreEvent[]) => {
      rows.receive(events)
      // The event has at most the ids of the pets, and not which of them match.
      if (events.some(({ type }) => type === 'pets.imported')) void rows.refresh()
    },
  }
}
