/** Where a process can end on the way of a keyed create, in the order of that way. */
export const FAILPOINTS = [
  'before begin',
  'after the keys',
  'after the pets',
  'before commit is sent',
  'commit is sent',
  'commit is answered',
  'after the answer',
] as const
export type Failpoint = (typeof FAILPOINTS)[number]
