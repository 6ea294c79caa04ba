import type { Order, PetRecord } from '@petstore/client'
import type { ComponentChildren } from 'preact'
import { orders } from '../api.ts'
import { findPets } from '../find-pets.ts'
import { readInt64 } from '../int64.ts'
import { go } from '../router.ts'
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

/** What the service has for a text: pets by id and by name, those that are sold last, and orders by their reference. */
export async function findHits(text: string, ending: AbortSignal): Promise<Hit[]> {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(MAX_MS)])
  const id = readInt64(text)
  const [byId, named, placed] = await Promise.all([
    can('pets:read') && typeof id === 'bigint' ? readPets({ ids: [id], signal }) : [],
    can('pets:read') ? readPets({ name: text, signal }) : [],
    can('orders:read') ? readOrders(text, signal) : [],
  ])
  const others = named.filter((pet) => pet.id !== id).toSorted((a, b) => Number(isSold(a)) - Number(isSold(b)))
  return [...[...byId, ...others].map(petHit), ...placed.map(orderHit)]
}

const isSold = (pet: PetRecord) => pet.status === 'sold'

const readPets = async (filter: Parameters<typeof findPets>[0]) =>
  (await findPets(filter, MAX_PETS).catch(() => ({ rows: [] }))).rows

const readOrders = async (reference: string, signal: AbortSignal) =>
  (
    await orders
      .list({ reference, limit: MAX_ORDERS, signal })
      .page()
      .catch(() => ({ orders: [] }))
  ).orders

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

const orderHit = ({ id, reference = id, status }: Order): Hit => ({
  group: 'orders',
  icon: 'orders',
  label: reference,
  id,
  more: <Status of={status} />,
  run: () => go(`/orders?order=${id}`),
})
