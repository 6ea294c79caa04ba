import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  append,
  begin,
  exclude,
  include,
  MAX_WAITING,
  type RowKind,
  receive,
  reconcile,
  release,
} from '../../packages/console/src/rows.ts'

interface Row {
  id: number
  version: number
}

const kind: RowKind<Row> = { idOf: ({ id }) => id, compare: (a, b) => b.id - a.id, versionOf: ({ version }) => version }
const log: RowKind<Row> = { ...kind, isLog: true }

const row = (id: number, version = 1): Row => ({ id, version })
const page = (ids: readonly number[], next?: string) => ({ rows: ids.map((id) => row(id)), next })
const present = (...ids: number[]) => ids.map((id) => ({ row: row(id), isMatch: true }))
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)
/** From 1 up to `last`, newest first. */
const downFrom = (last: number) => Array.from({ length: last }, (_, i) => last - i)

test('a new row waits, newest first, and moves no row that is shown', () => {
  const { shown, waiting } = receive(kind, begin(page([5, 3])), present(4, 7, 6))
  assert.deepEqual(idsOf(shown), [5, 3])
  assert.deepEqual(idsOf(waiting), [7, 6, 4])
})

test('a row that is shown changes where it is, also if it matches no longer', () => {
  const { shown, waiting } = receive(kind, begin(page([5, 3])), [{ row: row(5, 2), isMatch: false }])
  assert.deepEqual(shown, [row(5, 2), row(3)])
  assert.deepEqual(waiting, [])
})

test('a row that waits changes, and waits no longer when it matches no longer', () => {
  const waits = receive(kind, begin(page([1])), present(2, 3))
  const changed = receive(kind, waits, [
    { row: row(2, 2), isMatch: true },
    { row: row(3, 2), isMatch: false },
  ])
  assert.deepEqual(changed.waiting, [row(2, 2)])
})

test('an older state of a row does not replace a newer one', () => {
  const rows = receive(kind, begin(page([1])), [
    { row: row(1, 3), isMatch: true },
    { row: row(2, 3), isMatch: true },
    { row: row(1, 2), isMatch: true },
    { row: row(2, 2), isMatch: false },
  ])
  const late = receive(kind, rows, [{ row: row(1, 2), isMatch: true }])
  assert.deepEqual(late.shown, [row(1, 3)])
  assert.deepEqual(late.waiting, [row(2, 3)])
})

test('of several states of a row in one batch the last counts', () => {
  const comesAndGoes = [
    { row: row(2, 1), isMatch: true },
    { row: row(2, 2), isMatch: false },
  ]
  assert.deepEqual(receive(kind, begin(page([1])), comesAndGoes).waiting, [])
})

test('what does not concern the list changes nothing', () => {
  const rows = begin(page([5, 3], 'next'))
  const changes = [{ row: row(9), isMatch: false }, ...present(1)]
  assert.equal(receive(kind, rows, changes), rows)
})

test('rows of the next page and of the one before do not wait', () => {
  const rows = begin(page([20, 10], 'next'))
  assert.deepEqual(idsOf(receive(kind, rows, present(30, 15, 5)).waiting), [30, 15])
  assert.deepEqual(idsOf(receive({ ...kind, isLaterPage: true }, rows, present(30, 15, 5)).waiting), [15])
  // The last page has everything below.
  assert.deepEqual(idsOf(receive(kind, begin(page([20, 10])), present(5)).waiting), [5])
})

test('no more wait than are counted, and those are the newest', () => {
  const ids = downFrom(MAX_WAITING + 10)
  const { waiting, hasGap } = receive(kind, begin(page([0])), present(...ids))
  assert.deepEqual(idsOf(waiting), ids.slice(0, MAX_WAITING))
  assert.equal(hasGap, false)
})

test('a page that is read again updates its rows, and what is new on it waits', () => {
  const rows = begin(page([5, 4, 3], 'next'))
  const again = { rows: [row(7), row(5, 2), row(4)], next: 'other' }
  const { shown, waiting, next } = reconcile(kind, rows, again, { others: [row(3, 9)] })
  assert.deepEqual(shown, [row(5, 2), row(4), row(3, 9)])
  assert.deepEqual(waiting, [row(7)])
  // It leads to what follows the rows that are shown.
  assert.equal(next, 'next')
})

test('a row that only moves up to the page is not a new one', () => {
  const rows = begin(page([5, 4], 'next'))
  assert.deepEqual(reconcile(kind, rows, page([5, 3], 'next'), { others: [row(4, 2)] }).waiting, [])
})

test('of the rows that wait, a read takes away those that it should have found', () => {
  const rows = receive(kind, begin(page([1])), present(9, 8, 7, 6, 5))
  assert.deepEqual(idsOf(reconcile(kind, rows, page([9, 7], 'next')).waiting), [9, 7, 6, 5])
  assert.deepEqual(idsOf(reconcile(kind, rows, page([9, 7])).waiting), [9, 7])
})

test('a row that the person has added is first and waits no longer; one that was removed is gone', () => {
  const rows = receive(kind, begin(page([3, 2])), present(5, 4))
  const added = include(kind, rows, row(5))
  assert.deepEqual(idsOf(added.shown), [5, 3, 2])
  assert.deepEqual(idsOf(added.waiting), [4])
  assert.equal(include(kind, added, row(5)), added)
  assert.deepEqual(idsOf(exclude(kind, added, 3).shown), [5, 2])
})

test('a log shows its rows in their order, however late they are found, each once', () => {
  const rows = receive(log, begin(page([5, 3])), present(7, 5))
  assert.deepEqual(idsOf(receive(log, rows, present(6)).shown), [7, 6, 5, 3])
  assert.deepEqual(receive(log, rows, present(6)).waiting, [])
})

test('a log that is paused lets rows wait until it continues', () => {
  const paused = receive(log, begin(page([3])), present(5, 4), true)
  assert.deepEqual(idsOf(paused.shown), [3])
  assert.deepEqual(idsOf(paused.waiting), [5, 4])
  const { shown, waiting } = release(log, paused)
  assert.deepEqual(idsOf(shown), [5, 4, 3])
  assert.deepEqual(waiting, [])
})

test('a log that is read again adds what is new, and keeps what the page has not reached or not heard of', () => {
  const rows = begin(page([6, 5, 4], 'next'))
  const { shown, next } = reconcile(log, rows, page([7, 5], 'other'))
  assert.deepEqual(idsOf(shown), [7, 6, 5, 4])
  assert.equal(next, 'next')
  const paused = reconcile(log, receive(log, rows, present(8), true), page([7, 6], 'other'), { isPaused: true })
  assert.deepEqual(idsOf(paused.waiting), [8, 7])
})

test('a log begins again with a page that does not reach back to its newest row', () => {
  const rows = begin(page([3, 2], 'next'))
  const { shown, next } = reconcile(log, rows, page([9, 8], 'other'))
  assert.deepEqual(idsOf(shown), [9, 8])
  assert.equal(next, 'other')
  // The last page has everything below it.
  assert.deepEqual(idsOf(reconcile(log, rows, page([9, 8])).shown), [9, 8, 3, 2])
  // After a restore there is another past, whatever the page reaches back to.
  assert.deepEqual(idsOf(reconcile(log, rows, page([4, 3], 'other'), { hasMissed: true }).shown), [4, 3])
})

test('a log that had no row begins with the page in which there are some, unless that has none either', () => {
  const none = begin<Row>({ rows: [], next: 'far below' })
  assert.equal(reconcile(log, none, page([9], 'next')).next, 'next')
  assert.equal(reconcile(log, none, page([], 'next')).next, 'far below')
})

test('a paused log with a gap keeps its rows, and begins again when it is read after the pause', () => {
  const rows = begin(page([3, 2], 'next'))
  const apart = reconcile(log, rows, page([9, 8], 'other'), { isPaused: true })
  assert.deepEqual(idsOf(apart.shown), [3, 2])
  assert.deepEqual(idsOf(apart.waiting), [9, 8])
  assert.equal(apart.hasGap, true)
  // What comes before that read is held back, too: there would be a hole below it.
  assert.deepEqual(idsOf(receive(log, apart, present(10)).waiting), [10, 9, 8])
  const { shown, waiting, hasGap } = reconcile(log, apart, page([10, 9], 'other'))
  assert.deepEqual([idsOf(shown), waiting, hasGap], [[10, 9], [], false])
})

test('more rows of a paused log than may wait leave a gap', () => {
  const ids = downFrom(MAX_WAITING + 1)
  assert.equal(receive(log, begin(page([0])), present(...ids), true).hasGap, true)
})

test('the next page of a log is below the others, and leads on', () => {
  const rows = receive(log, begin(page([9, 8], 'next')), present(10), true)
  const { shown, waiting, next } = append(log, rows, page([8, 7, 6], 'last'))
  assert.deepEqual(idsOf(shown), [9, 8, 7, 6])
  assert.deepEqual(idsOf(waiting), [10])
  assert.equal(next, 'last')
})

test('a log drops its oldest rows when it has 500 more than were asked for, and then leads to none below', () => {
  const rows = append(log, begin(page([1_002, 1_001], 'next')), page([1_000], 'last'))
  const full = receive(log, rows, present(...Array.from({ length: 499 }, (_, i) => 2_000 + i)))
  assert.deepEqual([full.shown.length, full.isCut, full.next], [502, false, 'last'])
  const cut = receive(log, full, present(3_000))
  assert.deepEqual([cut.shown.length, cut.isCut, cut.next], [502, true, undefined])
  assert.equal(cut.shown.at(-1)?.id, 1_001)
})
