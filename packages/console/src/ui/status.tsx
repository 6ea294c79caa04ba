import type { PetRecord, PetStatus } from '@petstore/client'
import { texts } from '../texts.ts'

export const PET_STATUSES = ['available', 'pending', 'sold'] as const satisfies readonly PetStatus[]

// Shapes, not only colours: full, half, ring with a dot, ring, dash.
const FULL = <circle cx="6" cy="6" r="4" class="fill" />
const SHAPES = {
  available: FULL,
  held: <path d="M6 2a4 4 0 0 1 0 8z" class="fill" />,
  pending: <circle cx="6" cy="6" r="1.2" class="fill" />,
  sold: null,
  none: null,
  placed: <path d="M6 2a4 4 0 0 1 0 8z" class="fill" />,
  completed: FULL,
  cancelled: <path d="M3.5 3.5l5 5" />,
  expired: <path d="M6 3.5V6l1.8 1" />,
} as const

export type AnyStatus = keyof typeof SHAPES

/** A status by shape and word. */
export function Status({ of }: { of: AnyStatus | undefined }) {
  const name: AnyStatus = of ?? 'none'
  const words: Record<string, string> = { ...texts.pets.status, ...texts.orders.status }
  return (
    <span class={`status ${name}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {name !== 'none' && <circle cx="6" cy="6" r="4" />}
        {name === 'none' ? <path d="M3 6h6" /> : SHAPES[name]}
      </svg>
      <span>{words[name]}</span>
    </span>
  )
}

/** Held is what an order does, pending what a person has set. They look and read differently. */
export const petState = ({ status, orderId }: Pick<PetRecord, 'status' | 'orderId'>): AnyStatus =>
  orderId === undefined ? (status ?? 'none') : 'held'
