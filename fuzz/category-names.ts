import { afterOthers, type Changeable } from './turns.ts'

/** A name of a category: null where it has none, undefined where that is not known. */
type CategoryName = { name: string; version: bigint } | null | undefined

interface CategoryEntry extends Changeable {
  known: CategoryName
}

/** The names of categories that the service has confirmed to this run, as they must be now. */
export class CategoryNames {
  readonly #entries = new Map<bigint, CategoryEntry>()

  /** Runs what may change the names of these categories, after all that does so already. */
  async changing<T>(ids: bigint[], run: () => Promise<T>): Promise<T> {
    const entries = [...new Set(ids)].map((id) =>
      this.#entries.getOrInsertComputed(id, () => ({
        known: undefined,
        changing: 0,
        changedAt: 0,
        last: Promise.resolve(),
      })),
    )
    return await afterOthers(entries, run)
  }

  /** For what changes it itself. */
  last(id: bigint) {
    return this.#entries.get(id)?.known
  }

  keep(id: bigint, known: CategoryName) {
    const entry = this.#entries.get(id)
    if (entry) entry.known = known
  }

  /** As any request sent at `from` must have seen it. */
  seen(id: bigint, from: number): CategoryName {
    const entry = this.#entries.get(id)
    return entry && entry.changing === 0 && entry.changedAt < from ? entry.known : undefined
  }

  allSeen(from: number) {
    return [...this.#entries.keys()].flatMap((id) => {
      const known = this.seen(id, from)
      return known ? { id, ...known } : []
    })
  }
}
