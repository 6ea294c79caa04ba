import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRows, type RowSource } from '../../packages/console/src/live-rows.ts'
import type { Change, Page } from '../../packages/console/src/rows.ts'

interface Row {
  id: number
  version: number
}

type Source = RowSource<Row, Change<Row>>
type List = ReturnType<typeof startList>['list']

const row = (id: number, version = 1): Row => ({ id, version })
const page = (rows: readonly Row[], next?: string): Page<Row> => ({ rows, next })
/** An event is what it changes. */
const eventOf = (changed: Row, isMatch = true) => ({ row: changed, isMatch })

/** A list whose reads end when the test says so. */
function startList(more: Partial<Source> = {}) {
  const reads: (PromiseWithResolvers<Page<Row>> & { cursor: string | undefined })[] = []
  const list = createRows<Row, Change<Row>>({
    idOf: ({ id }) => id,
    compare: (a, b) => b.id - a.id,
    versionOf: ({ version }) => version,
    read: (_, cursor) => {
      const read = { ...Promise.withResolvers<Page<Row>>(), cursor }
      reads.push(read)
      return read.promise
    },
    apply: (event) => event,
    ...more,
  })
  return { list, reads }
}

/** With these rows shown. */
async function shownList(first: Page<Row>, more: Partial<Source> = {}) {
  const { list, reads } = startList(more)
  const restarted = list.restart()
  reads[0]?.resolve(first)
  await restarted
  return { list, reads }
}

const shownIn = ({ data }: List) => data.value?.shown
const waitingIn = ({ data }: List) => data.value?.waiting

test('what happens while the first page is read is not lost, although the read does not know of it', async () => {
  const { list, reads } = startList()
  const restarted = list.restart()
  list.receive([eventOf(row(1, 2)), eventOf(row(3))])
  assert.equal(shownIn(list), undefined)
  reads[0]?.resolve(page([row(1), row(0)]))
  await restarted
  assert.deepEqual(shownIn(list), [row(1, 2), row(0)])
  assert.deepEqual(waitingIn(list), [row(3)])
})

test('what happens while the list is read again is shown at once, and still there after the read', async () => {
  const { list, reads } = await shownList(page([row(1)]))
  const read = list.refresh()
  list.receive([eventOf(row(1, 2)), eventOf(row(2))])
  assert.deepEqual(shownIn(list), [row(1, 2)])
  assert.deepEqual(waitingIn(list), [row(2)])
  reads[1]?.resolve(page([row(1)]))
  await read
  assert.deepEqual(shownIn(list), [row(1, 2)])
  assert.deepEqual(waitingIn(list), [row(2)])
})

test('rows that are no longer on their page are read one by one, and stay where they are', async () => {
  const reread: Row[][] = []
  const { list, reads } = await shownList(page([row(3), row(2), row(1)]), {
    reread: (rows) => {
      reread.push([...rows])
      return Promise.resolve([row(2, 2)])
    },
  })
  const read = list.refresh()
  reads[1]?.resolve(page([row(3), row(1)]))
  await read
  assert.deepEqual(reread, [[row(2)]])
  assert.deepEqual(shownIn(list), [row(3), row(2, 2), row(1)])
})

test('what waits is shown when it is asked for, by a read that nothing older can undo', async () => {
  const { list, reads } = await shownList(page([row(1)]))
  list.receive([eventOf(row(2))])
  const refreshed = list.refresh()
  const shown = list.show()
  reads[1]?.resolve(page([row(1)]))
  await refreshed
  reads[2]?.resolve(page([row(2), row(1)]))
  await shown
  assert.deepEqual(shownIn(list), [row(2), row(1)])
  assert.deepEqual(waitingIn(list), [])
})

test('the rows stay when they can’t be read again, with the reason until they can', async () => {
  const { list, reads } = await shownList(page([row(1)]))
  const failed = list.refresh()
  reads[1]?.reject(new Error('offline'))
  await failed
  assert.match(String(list.error.value), /offline/)
  assert.deepEqual(shownIn(list), [row(1)])
  const read = list.refresh()
  reads[2]?.resolve(page([row(1)]))
  await read
  assert.equal(list.error.value, undefined)
})

test('an empty page is read when something belongs on it: no row could move', async () => {
  const { list, reads } = await shownList(page([]))
  list.receive([eventOf(row(1), false)])
  assert.equal(reads.length, 1)
  list.receive([eventOf(row(2))])
  assert.equal(reads.length, 2)
  reads[1]?.resolve(page([row(2)]))
  await new Promise(setImmediate)
  assert.deepEqual(shownIn(list), [row(2)])
})

test('what is kept besides the rows hears of each page before it is shown, and whether it replaces the others', async () => {
  const kept: unknown[] = []
  const { list, reads } = await shownList(page([row(1)]), {
    keep: (rows, isAll) => kept.push([rows, isAll]),
  })
  const read = list.refresh()
  reads[1]?.resolve(page([row(2), row(1)]))
  await read
  assert.deepEqual(kept, [
    [[row(1)], true],
    [[row(2), row(1)], false],
  ])
})

test('a log shows what happens, or lets it wait during a pause, and needs no read to continue', async () => {
  const { list, reads } = await shownList(page([row(1)]), { isLog: true })
  list.receive([eventOf(row(2))])
  list.pause(true)
  list.receive([eventOf(row(3))])
  assert.deepEqual(shownIn(list), [row(2), row(1)])
  assert.deepEqual(waitingIn(list), [row(3)])
  list.pause(false)
  assert.deepEqual(shownIn(list), [row(3), row(2), row(1)])
  assert.equal(reads.length, 1)
})

test('a log whose pause has left a gap reads its newest page to continue', async () => {
  const { list, reads } = await shownList(page([row(1)], 'old'), { isLog: true })
  list.pause(true)
  const read = list.refresh()
  reads[1]?.resolve(page([row(9), row(8)], 'below 8'))
  await read
  assert.deepEqual(shownIn(list), [row(1)])
  list.pause(false)
  reads[2]?.resolve(page([row(10), row(9)], 'below 9'))
  await new Promise(setImmediate)
  assert.deepEqual(shownIn(list), [row(10), row(9)])
  assert.equal(list.data.value?.next, 'below 9')
})

test('a log that has missed events begins again with what it reads, also if the first attempt fails', async () => {
  const { list, reads } = await shownList(page([row(2), row(1)], 'old'), { isLog: true })
  const failed = list.refresh(true)
  reads[1]?.reject(new Error('offline'))
  await failed
  const read = list.refresh()
  reads[2]?.resolve(page([row(3), row(2)], 'new'))
  await read
  assert.deepEqual(shownIn(list), [row(3), row(2)])
})

test('older rows of a log are read page by page, past those without a row', async () => {
  const { list, reads } = await shownList(page([row(9)], 'one'), { isLog: true })
  const read = list.readOlder()
  assert.equal(list.isReadingOlder.value, true)
  reads[1]?.resolve(page([], 'two'))
  await new Promise(setImmediate)
  assert.equal(reads[2]?.cursor, 'two')
  reads[2]?.resolve(page([row(1)]))
  await read
  assert.deepEqual(shownIn(list), [row(9), row(1)])
  assert.equal(list.isReadingOlder.value, false)
})

test('older rows that follow rows which were dropped meanwhile are not shown', async () => {
  const { list, reads } = await shownList(page([row(2)], 'below 2'), { isLog: true })
  const older = list.readOlder()
  const newest = list.refresh()
  reads[2]?.resolve(page([row(9)], 'below 9'))
  await newest
  reads[1]?.resolve(page([row(1)]))
  await older
  assert.deepEqual(shownIn(list), [row(9)])
  assert.equal(list.data.value?.next, 'below 9')
})

test('older rows that could not be read are what is tried again', async () => {
  const { list, reads } = await shownList(page([row(2)], 'below 2'), { isLog: true })
  const failed = list.readOlder()
  reads[1]?.reject(new Error('offline'))
  await failed
  assert.match(String(list.error.value), /offline/)
  const again = list.retry()
  assert.equal(reads[2]?.cursor, 'below 2')
  reads[2]?.resolve(page([row(1)]))
  await again
  assert.deepEqual(shownIn(list), [row(2), row(1)])
  assert.equal(list.error.value, undefined)
})

test('when older rows could not be read and were then dropped, the page is what is tried again', async () => {
  const { list, reads } = await shownList(page([row(0)], 'below 0'), { isLog: true })
  const failed = list.readOlder()
  reads[1]?.reject(new Error('offline'))
  await failed
  list.receive(Array.from({ length: 500 }, (_, i) => eventOf(row(i + 1))))
  assert.equal(list.data.value?.isCut, true)
  const again = list.retry()
  assert.equal(reads.length, 3)
  reads[2]?.resolve(page([row(500)], 'below 500'))
  await again
  assert.equal(list.error.value, undefined)
})

test('after a read of the page that failed, the page is what is tried again, whatever had failed before', async () => {
  const { list, reads } = await shownList(page([row(2)], 'below 2'), { isLog: true })
  for (const read of [list.readOlder, list.refresh]) {
    const failed = read()
    reads.at(-1)?.reject(new Error('offline'))
    await failed
  }
  void list.retry()
  assert.equal(reads.length, 4)
  assert.equal(reads[3]?.cursor, undefined)
})

test('a log whose older rows are not there any more begins again', async () => {
  const { list, reads } = await shownList(page([row(2)], 'lost'), { isLog: true, isExpired: () => true })
  const older = list.readOlder()
  reads[1]?.reject(new Error('cursor_expired'))
  await new Promise(setImmediate)
  reads[2]?.resolve(page([row(7)]))
  await older
  assert.deepEqual(shownIn(list), [row(7)])
  assert.equal(list.error.value, undefined)
})

test('a list that is not shown any more reports no failure', async () => {
  const { list, reads } = await shownList(page([row(1)]))
  const read = list.refresh()
  list.stop()
  reads[1]?.reject(new Error('aborted'))
  await read
  assert.equal(list.error.value, undefined)
})
