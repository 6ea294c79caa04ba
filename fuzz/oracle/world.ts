import type { NewPet } from './new-pet.ts'

/** A pet as it is now: what `view=full` shows of it. */
export interface PetState extends NewPet {
  version: bigint
  /** The order that holds it. */
  orderId?: string
}

/** What a client asks for when it places an order. */
export interface NewOrder {
  petId: bigint
  expiresIn: number
  reference?: string
}

/** An order as it is shown. */
export interface Order {
  id: string
  petId: bigint
  status: string
  placedAt: string
  expiresAt: string
  reference?: string
  closedAt?: string
}

/** An order as it must be: one that has expired by itself has a `closedAt` that is unknown until it is seen. */
export interface OrderState extends Order {
  /** By the clock of this process: it can't expire before, and must have expired after. */
  expires: { from: number; to: number }
}

/** A version of a pet, and how it came about. */
export interface Change {
  /** That of its event. */
  type: string
  /** After the change. */
  pet: PetState
  /** The names of the fields that differ from before. */
  changed?: string
  /** The order that the event describes. */
  orderId?: string
  /** The API key that has made it; unknown where it is missing, or where the service has done it. */
  by?: string
}

/** One pet, or none where it was deleted, and all of its orders: what a change is decided on. */
export interface World {
  petId: bigint
  pet?: PetState
  /** The oldest first. */
  orders: ReadonlyMap<string, OrderState>
  /** Its versions, from the first. */
  past: readonly Change[]
}

export function described({ categoryId, status, version, orderId }: PetState) {
  return `categoryId ${categoryId}, status ${status}, version ${version}, orderId ${orderId}`
}

/** The time between sending a request and its response, by the clock of this process. */
export interface Window {
  from: number
  to: number
}

// The contract: an order is expired at most 5 s after its time, never before.
const MAX_LATE_MS = 5_000
// Times are shown in whole milliseconds.
const ROUNDING_MS = 1

/** What a pet may be when a request is decided: an order may have expired before it, if its time has come. */
export function possible(world: World, { from, to }: Window): World[] {
  const open = world.pet?.orderId === undefined ? undefined : world.orders.get(world.pet.orderId)
  if (!open || to < open.expires.from) return [world]
  return from > open.expires.to ? [close(world, open, 'expired')] : [world, close(world, open, 'expired')]
}

/** After the end of the order that holds the pet. */
export function close(world: World, open: OrderState, status: string, closedAt?: string): World {
  const closed = { ...open, status, ...(closedAt === undefined ? {} : { closedAt }) }
  const { orderId: _orderId, ...before } = world.pet ?? MISSING
  const pet = { ...before, status: status === 'completed' ? 'sold' : 'available', version: before.version + 1n }
  return {
    ...world,
    pet,
    orders: new Map([...world.orders, [open.id, closed]]),
    past: [...world.past, { type: `order.${status}`, pet, changed: 'status', orderId: open.id }],
  }
}

/** After a new order, placed within the window. */
export function place(world: World, order: Order, { from, to }: Window): World {
  const ms = Date.parse(order.expiresAt) - Date.parse(order.placedAt)
  const expires = { from: from + ms - ROUNDING_MS, to: to + ms + MAX_LATE_MS }
  const before = world.pet ?? MISSING
  const pet = { ...before, status: 'pending', version: before.version + 1n, orderId: order.id }
  return {
    ...world,
    pet,
    orders: new Map([...world.orders, [order.id, { ...order, expires }]]),
    past: [...world.past, { type: 'order.placed', pet, changed: 'status', orderId: order.id }],
  }
}

// Stands for the pet of an order that holds none, which `possible` never asks for.
const MISSING: PetState = { name: '', categoryId: 0n, version: 0n }
