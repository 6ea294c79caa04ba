import type { ListOptions, Order, PetRecord } from '@petstore/client'
import type { ComponentChildren } from 'preact'
import { explain, orders } from '../api.ts'
import { findPets, soldLast } from '../find-pets.ts'
import { readInt64 } from '../int64.ts'
import { go } from '../router.ts'
import { hasTooManyWords } from '../screens/pets/view.ts'
import { can } from '../session.ts'
import { texts } from '../texts.ts'
import type { Command } from './commands.ts'
import type { IconName } from './icon.tsx'
import { Chip } from './named.tsx'
import { petState, Status } from './status.tsx'

const { palette: t } = texts

export interface Hit extends Command {
  group: keyof typeof t.groups
  icon: IconName
  /** Beside the label, small. */
  id?: string
  /** At the right: what tells it from others. */
  more?: ComponentChildren
}

/** Of each kind. */
const MAX_PETS = 7
const MAX_ORDERS = 3
/** What can't be found by then does not keep the person from what is known. */
const MAX_MS = 3_000

export interface Found {
  hits: readonly Hit[]
  /** Why some hits may be missing, in a sentence; undefined if none is. */
  fault: string | undefined
  /** Whether the person sees if there are pets of this name. */
  isKnown: boolean
}

const NOTHING = { rows: [], next: undefined, isPartial: false }

/** What the service has for a text: pets by id and by name, those that are sold last, and orders by their reference. */
export async function findHits(text: string, ending: AbortSignal): Promise<Found> {
  const late = AbortSignal.timeout(MAX_MS)
  const signal = AbortSignal.any([ending, late])
  const id = readInt64(text)
  const isTooLong = hasTooManyWords(text)
  let fault: string | undefined
  const orNothing =
    <Nothing,>(nothing: Nothing) =>
    (error: unknown) => {
      fault = late.aborted ? t.late : explain(error)
      return nothing
    }
  const readPets = (filter: Pick<ListOptions, 'ids' | 'name'>) =>
    can('pets:read')
      ? findPets({ ...filter, signal }, MAX_PETS).catch(orNothing({ ...NOTHING, isPartial: true }))
      : NOTHING
  const [byId, named, placed] = await Promise.all([
    typeof id === 'bigint' ? readPets({ ids: [id] }) : NOTHING,
    isTooLong ? { ...NOTHING, isPartial: true } : readPets({ name: text }),
    can('orders:read') ? readOrders(text, signal).catch(orNothing([])) : [],
  ])
  const others = soldLast(named.rows.filter((pet) => pet.id !== id))
  return {
    hits: [
      ...[...byId.rows, ...others].map(petHit),
      ...(named.next === undefined ? [] : [allHit(text)]),
      ...placed.map(orderHit),
    ],
    fault: fault ?? (isTooLong ? texts.pets.tooManyWords : named.isPartial ? texts.pets.partial : undefined),
    isKnown: !named.isPartial && (named.rows.length > 0 || named.next === undefined),
  }
}

const readOrders = async (reference: string, signal: AbortSignal) =>
  (await orders.list({ reference, limit: MAX_ORDERS, signal }).page()).orders

const petHit = (pet: PetRecord): Hit => ({
  group: 'pets',
  icon: 'pets',
  label: pet.name,
  id: String(pet.id),
  more: (
    <>
      <Chip category={pet.categoryId} />
      <Status of={petState(pet)} />
    </>
  ),
  run: () => go(`/pets?pet=${pet.id}`),
})

/** There may be more than are shown here. */
const allHit = (name: string): Hit => ({
  group: 'pets',
  icon: 'search',
  label: t.allPets(name),
  run: () => go(`/pets?${new URLSearchParams({ name })}`),
})

const orderHit = ({ id, reference = id, status }: Order): Hit => ({
  group: 'orders',
  icon: 'orders',
  label: reference,
  id,
  more: <Status of={status} />,
  run: () => go(`/orders?order=${id}`),
})
