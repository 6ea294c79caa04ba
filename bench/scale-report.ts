import { median, medianRate, type Rate } from './measure.ts'
import { markdownTable, whole } from './report.ts'

/** One operation on a store of so many pets: what each round has measured. */
export interface Cell {
  operation: string
  pets: number
  service: Rate[]
  bare: Rate[]
}

export interface StoreSize {
  /** As counted when it was loaded. */
  pets: number
  /** On disk, with the indexes and the words. */
  bytes: number
  loadSeconds: number
}

/** The cells of each operation, the smallest store first, as they were measured. */
export function byOperation(cells: Cell[]) {
  return Map.groupBy(cells, ({ operation }) => operation)
}

/** How many times as long p50 is in the largest store as in the smallest: in the same round; then the median of these. */
function growthOf(cells: Cell[], side: 'service' | 'bare') {
  const [smallest, largest] = [cells.at(0)?.[side] ?? [], cells.at(-1)?.[side] ?? []]
  return median(largest.map(({ p50 }, round) => p50 / (smallest[round]?.p50 ?? Number.NaN)))
}

/** What takes longer than it may where there are more pets, as sentences. */
export function overgrowth(cells: Cell[], most: number) {
  return Array.from(byOperation(cells), ([operation, ofOperation]) => {
    const growth = growthOf(ofOperation, 'service')
    const [smallest, largest] = [ofOperation.at(0), ofOperation.at(-1)].map((cell) => sizeName(cell?.pets ?? 0))
    return growth <= most
      ? []
      : `${operation} takes ${growth.toFixed(2)} times as long at ${largest} pets as at ${smallest}, not ${most}`
  }).flat()
}

export function growthTable(cells: Cell[]) {
  const sizes = cells.map(({ pets }) => pets)
  const between = `p50 at ${sizeName(Math.max(...sizes))} / at ${sizeName(Math.min(...sizes))}`
  return markdownTable(
    ['operation', `service, ${between}`, `bare, ${between}`],
    Array.from(byOperation(cells), ([operation, ofOperation]) => [
      operation,
      ...(['service', 'bare'] as const).map((side) => growthOf(ofOperation, side).toFixed(2)),
    ]),
  )
}

export function latencyTable(cells: Cell[]) {
  return markdownTable(
    ['operation', 'pets', 'p50 service', 'p99 service', 'p50 bare', 'p99 bare', 'service /s', 'bare /s', 'ratio'],
    cells.map(({ operation, pets, ...rounds }) => {
      const [service, bare] = [medianRate(rounds.service), medianRate(rounds.bare)]
      const latencies = [service.p50, service.p99, bare.p50, bare.p99].map((ms) => `${ms.toFixed(2)} ms`)
      const ratio = ratioOf(rounds).toFixed(2)
      return [operation, sizeName(pets), ...latencies, whole(service.perSecond), whole(bare.perSecond), ratio]
    }),
  )
}

/** Requests a second, service to bare: in the same round; then the median of these. */
function ratioOf({ service, bare }: Pick<Cell, 'service' | 'bare'>) {
  return median(service.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? Number.NaN)))
}

export function storeTable(stores: (StoreSize & { created: number })[]) {
  return markdownTable(
    ['pets, counted', 'load time', 'rows a second', 'on disk', 'bytes each', 'added by the creates'],
    stores.map(({ pets, bytes, loadSeconds, created }) => [
      whole(pets),
      `${loadSeconds.toFixed(1)} s`,
      whole(pets / loadSeconds),
      `${whole(bytes / 1e6)} MB`,
      whole(bytes / pets),
      whole(created),
    ]),
  )
}

/** 10^8 rather than 100,000,000, wherever it is one of these. */
export function sizeName(pets: number) {
  const exponent = Math.log10(pets)
  return Number.isInteger(exponent) ? `10^${exponent}` : whole(pets)
}
