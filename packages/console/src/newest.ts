/** Drops what was stored first from a map or a set that would otherwise grow for as long as the page is open. */
export function keepNewest<Entry>(
  all: { size: number; keys: () => Iterable<Entry>; delete: (entry: Entry) => boolean },
  most: number,
) {
  for (const oldest of all.keys()) {
    if (all.size <= most) return
    all.delete(oldest)
  }
}
