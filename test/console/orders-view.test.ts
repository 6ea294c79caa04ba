import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Order } from '../../packages/client/src/index.ts'
import {
  boundsOf,
  compareOrders,
  matchesOrder,
  readOrderView,
  sortOf,
  soughtOne,
} from '../../packages/console/src/screens/orders-view.ts'

const view = (query: string) => readOrderView(new URLSearchParams(query))
const order = (more: Partial<Order> = {}): Order => ({
  id: 'ord_AAAAAAAAATQ8diTHYBJn',
  petId: 7n,
  status: 'placed',
  placedAt: '2030-03-15T09:00:00Z',
  expiresAt: '2030-03-15T10:00:00Z',
  ...more,
})

test('open orders come first, those of a pet or a reference whatever their status', () => {
  assert.equal(view('').status, 'placed')
  assert.equal(view('status=none-such').status, 'placed')
  assert.equal(view('status=expired').status, 'expired')
  assert.equal(view('status=all').status, undefined)
  assert.equal(view('pet=7').status, undefined)
  assert.equal(view('find=web-4309').status, undefined)
  assert.equal(view('find=web-4309&status=placed').status, 'placed')
  assert.deepEqual([view('pet=7').pet, view('pet=x').pet], [7n, 'malformed'])
  assert.deepEqual([view('find=+web+1+').find, view('find=+').find], ['web 1', undefined])
})

test('open orders are sorted by their end, closed ones by when they ended, others by when they were placed', () => {
  assert.equal(sortOf(view('')), 'expiring')
  assert.equal(sortOf(view('status=completed')), 'closed')
  for (const query of ['status=all', 'pet=7&status=placed', 'find=a&status=expired'])
    assert.equal(sortOf(view(query)), 'newest', query)
  const early = order({ expiresAt: '2030-03-15T11:00:00Z', closedAt: '2030-03-15T09:30:00Z' })
  const late = order({ placedAt: '2030-03-15T09:10:00Z', closedAt: '2030-03-15T09:20:00Z' })
  const firstOf = (sort: Parameters<typeof compareOrders>[0]) => [early, late].toSorted(compareOrders(sort))[0]
  assert.equal(firstOf('newest'), late)
  assert.equal(firstOf('expiring'), late)
  assert.equal(firstOf('closed'), early)
})

test('only what has ended has a day, and a day that does not exist is none', () => {
  assert.equal(view('status=completed&day=2030-03-15').day, '2030-03-15')
  for (const query of ['day=2030-03-15', 'status=all&day=2030-03-15', 'status=completed&day=today'])
    assert.equal(view(query).day, undefined, query)
  const { from, to } = boundsOf('2030-03-15')!
  assert.deepEqual([from.getDate(), from.getHours(), to.getDate(), to.getHours()], [15, 0, 16, 0])
  assert.equal(boundsOf(undefined), undefined)
})

test('an order is listed if all of the view is true of it', () => {
  const sold = (closedAt: Date) => order({ status: 'completed', closedAt: closedAt.toISOString() })
  const { from, to } = boundsOf('2030-03-15')!
  const day = view('status=completed&day=2030-03-15')
  assert.ok(matchesOrder(day, sold(from)))
  assert.ok(!matchesOrder(day, sold(to)))
  assert.ok(!matchesOrder(day, order()))
  assert.ok(matchesOrder(view('pet=7'), order()))
  assert.ok(!matchesOrder(view('pet=8'), order()))
  assert.ok(matchesOrder(view('find=web-1'), order({ reference: 'web-1' })))
  assert.ok(matchesOrder(view(`find=${order().id}`), order()))
  assert.ok(!matchesOrder(view('find=web-1'), order({ reference: 'web-12' })))
  assert.ok(!matchesOrder(view('find=web-1&status=expired'), order({ reference: 'web-1' })))
})

test('the order that was looked for is the only open one, or the only one', () => {
  const open = order()
  const closed = order({ status: 'expired' })
  assert.equal(soughtOne([closed, open, closed]), open)
  assert.equal(soughtOne([closed]), closed)
  assert.equal(soughtOne([open, open]), undefined)
  assert.equal(soughtOne([closed, closed]), undefined)
  assert.equal(soughtOne([]), undefined)
})
