// The rows of a live list: what a read or an event changes in them. Pure functions, so that tests need no browser.

/** A page, as the service returns it. */
export interface Page<Row> {
  rows: readonly Row[]
  next: string | undefined
}

/** A row as an event has it, and whether the list contains it now, on whichever page. */
export interface Change<Row> {
  row: Row
  isMatch: boolean
}

export interface RowKind<Row> {
  idOf: (row: Row) => unknown
  /** Below 0 if `a` is above `b`. */
  compare: (a: Row, b: Row) => number
  /** The version of a state of a row. A later state never has a lower one. */
  versionOf: (row: Row) => bigint | number
  /** What is above the first row is on an earlier page. */
  isLaterPage?: boolean
  /** Rows neither change nor leave, and are shown in their order as they come, unless the person has paused that. */
  isLog?: boolean
}

export interface Rows<Row> {
  /** Only the person moves these rows. In a log, new ones push them down. */
  shown: readonly Row[]
  /** Rows of this page that are not shown yet, in their order. */
  waiting: readonly Row[]
  /** Where the rows after those that are shown begin; undefined if there are none. */
  next: string | undefined
  /** In a log, rows between those that wait and those that are shown are unknown. */
  hasGap: boolean
  /** The last rows of a log were dropped to make room for new ones. */
  isCut: boolean
  /** How many rows of a log are shown before the last ones are dropped. */
  most: number
}

/** Waiting rows are counted up to this number. */
export const MAX_WAITING = 1_000
/** How many rows a log may have beyond those that were requested. */
const MAX_ADDED = 500

export function begin<Row>({ rows, next }: Page<Row>): Rows<Row> {
  return { shown: rows, waiting: [], next, hasGap: false, isCut: false, most: MAX_ADDED }
}

/** Rows that are shown change where they are. New ones wait, unless this is a log that is not paused. */
export function receive<Row>(
  kind: RowKind<Row>,
  rows: Rows<Row>,
  changes: readonly Change<Row>[],
  isPaused = false,
): Rows<Row> {
  const { idOf, versionOf, isLog = false } = kind
  const known = new Map([...rows.waiting, ...rows.shown].map((row) => [idOf(row), row]))
  const latest = new Map<unknown, Change<Row>>()
  for (const change of changes) {
    const id = idOf(change.row)
    const was = latest.get(id)?.row ?? known.get(id)
    const isNews =
      was === undefined ? change.isMatch && isOfPage(kind, rows, change.row) : versionOf(was) <= versionOf(change.row)
    if (isNews) latest.set(id, change)
  }
  if (latest.size === 0) return rows
  const shown = rows.shown.map((row) => {
    const id = idOf(row)
    const { row: now = row } = latest.get(id) ?? {}
    latest.delete(id)
    return now
  })
  const fresh = [...latest.values()].filter(({ isMatch }) => isMatch).map(({ row }) => row)
  const waited = rows.waiting.filter((row) => !latest.has(idOf(row)))
  if (isLog && !isPaused && !rows.hasGap) return cut({ ...rows, shown: [...fresh, ...shown].toSorted(kind.compare) })
  const waiting = [...fresh, ...waited].toSorted(kind.compare)
  const isFull = waiting.length > MAX_WAITING
  return { ...rows, shown, waiting: waiting.slice(0, MAX_WAITING), hasGap: rows.hasGap || (isLog && isFull) }
}

/** Whether a row that is not shown has its place between those that are. */
function isOfPage<Row>({ compare, isLaterPage }: RowKind<Row>, { shown, next }: Rows<Row>, row: Row) {
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return true
  return (next === undefined || compare(row, last) < 0) && (!isLaterPage || compare(first, row) < 0)
}

interface Reread<Row> {
  /** Rows that are shown and no longer on the page, as they are now. */
  others?: readonly Row[]
  /** Rows of a log were missed that the page may not reach back to. */
  hasMissed?: boolean
  isPaused?: boolean
}

/** With the same page, read again. */
export function reconcile<Row>(
  kind: RowKind<Row>,
  rows: Rows<Row>,
  page: Page<Row>,
  { others = [], hasMissed = false, isPaused = false }: Reread<Row> = {},
): Rows<Row> {
  const { compare, isLog } = kind
  // What is below the last row of a page is unknown, unless the page is the last one.
  const last = page.next === undefined ? undefined : page.rows.at(-1)
  const isBelow = (row: Row) => last !== undefined && compare(last, row) < 0
  const changes = [
    ...others.map((row) => ({ row, isMatch: false })),
    ...page.rows.map((row) => ({ row, isMatch: true })),
  ]
  // Waiting rows that should be on the page, but are not, no longer match.
  if (!isLog) return receive(kind, { ...rows, waiting: rows.waiting.filter(isBelow) }, changes)
  const newest = rows.waiting[0] ?? rows.shown[0]
  const isApart = last !== undefined && (newest === undefined || isBelow(newest))
  if (!rows.hasGap && !hasMissed && !isApart) return receive(kind, rows, changes, isPaused)
  return isPaused ? { ...rows, waiting: page.rows, hasGap: true } : begin(page)
}

/** With the page that `next` leads to. */
export function append<Row>({ idOf }: RowKind<Row>, rows: Rows<Row>, { rows: found, next }: Page<Row>): Rows<Row> {
  const known = new Set([...rows.waiting, ...rows.shown].map(idOf))
  const fresh = found.filter((row) => !known.has(idOf(row)))
  return { ...rows, shown: [...rows.shown, ...fresh], next, most: rows.shown.length + MAX_ADDED }
}

/** With the rows of a log that have waited. */
export function release<Row>({ compare }: RowKind<Row>, rows: Rows<Row>): Rows<Row> {
  return cut({ ...rows, shown: [...rows.waiting, ...rows.shown].toSorted(compare), waiting: [] })
}

/** With a row that the person has just made, above all others. */
export function include<Row>({ idOf }: RowKind<Row>, rows: Rows<Row>, row: Row): Rows<Row> {
  const isOther = (other: Row) => idOf(other) !== idOf(row)
  if (!rows.shown.every(isOther)) return rows
  return { ...rows, shown: [row, ...rows.shown], waiting: rows.waiting.filter(isOther) }
}

/** Without a row that the person has just removed. */
export function exclude<Row>({ idOf }: RowKind<Row>, rows: Rows<Row>, id: unknown): Rows<Row> {
  return { ...rows, shown: rows.shown.filter((row) => idOf(row) !== id) }
}

function cut<Row>(rows: Rows<Row>): Rows<Row> {
  if (rows.shown.length <= rows.most) return rows
  // The next page would leave out those that are dropped.
  return { ...rows, shown: rows.shown.slice(0, rows.most), isCut: true, next: undefined }
}
