/** One of the last items, 0 for the very last; undefined if there is none. */
export function last<T>(list: T[], index: number) {
  return list.at(-1 - (index % Math.max(list.length, 1)))
}
