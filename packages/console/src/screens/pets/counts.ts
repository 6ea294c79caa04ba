import type { PetCounts, PetStatus } from '@petstore/client'
import { pets } from '../../api.ts'
import { useLive } from '../../live.ts'

/** How many pets of a category, or of all, have each status. 1,000 stands for that many or more. */
async function readCounts(categoryId: bigint | undefined, signal: AbortSignal): Promise<PetCounts> {
  if (categoryId !== undefined) return pets.counts({ categoryId, signal })
  const count = async (status?: PetStatus) => (await pets.count({ status, signal })).count
  const [all, available, pending, sold] = await Promise.all([
    count(),
    count('available'),
    count('pending'),
    count('sold'),
  ])
  return { available, pending, sold, none: Math.max(0, all - available - pending - sold) }
}

/** Kept up to date. Undefined until the rows, which matter more, are there. */
export function useCounts(categoryId: bigint | undefined, isReady: boolean) {
  return useLive(
    async (signal) => (isReady ? readCounts(categoryId, signal) : undefined),
    [categoryId, isReady],
    ({ type, data }) => type !== 'pet.updated' || data.changed?.some((field) => field !== 'name') !== false,
  )
}
