/** Where a process can end on the way of a keyed create, in the order of that way: one statement stores the key and its pet. */
const OF_CREATES = ['before it is sent', 'it is sent', 'it is answered', 'after the answer'] as const
/** And of one that is sent again: the pet of its key is read in a transaction. */
const OF_REPLAYS = ['replay: after begin', 'replay: before commit', 'replay: after commit'] as const

export const FAILPOINTS = [...OF_CREATES, ...OF_REPLAYS]
export type Failpoint = (typeof FAILPOINTS)[number]

export function isOfReplays(point: Failpoint) {
  return (OF_REPLAYS as readonly Failpoint[]).includes(point)
}
