import { signal } from '@preact/signals'

/** How many orders are open, 1,000 for that many or more; undefined while that is unknown. The frame reads it. */
export const openOrders = signal<number | undefined>(undefined)
