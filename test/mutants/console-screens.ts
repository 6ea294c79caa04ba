import type { Mutant } from './mutant.ts'

const CONSOLE = 'packages/console/src'
const UNIT = 'test/console'
const TESTS = 'test/browser/console'

/** Faults of home, orders, activity, and of what keeps them up to date. */
export const SCREEN_MUTANTS: Mutant[] = [
  {
    name: 'unseen-reaction',
    what: 'a hidden tab reacts to what another one hears',
    file: `${CONSOLE}/feed.ts`,
    edits: [['if (!document.hidden) catchUp()', 'catchUp()']],
    kill: { test: `${TESTS}/live.ts`, names: 'a hidden tab sends nothing of what another one hears' },
  },
  {
    name: 'unseen-dropped',
    what: 'events that a tab could not keep are not made up for by a read',
    file: `${CONSOLE}/feed.ts`,
    edits: [['    unseen = []\n    unseenResync = true', '    unseen = []']],
    kill: { test: `${TESTS}/live.ts`, names: 'more than a hidden tab can keep' },
  },
  {
    name: 'unseen-polling',
    what: 'a hidden tab polls',
    file: `${CONSOLE}/live.ts`,
    edits: [['      await seen()\n      if (isOver) return\n', '']],
    kill: { test: `${TESTS}/home.ts`, names: 'health is read when a tab is seen again' },
  },
  {
    name: 'no-resync',
    what: 'when the service can be reached again, nothing is read again',
    file: `${CONSOLE}/feed.ts`,
    edits: [['if (isDown()) broadcast({ resync: false })\n', '\n']],
    kill: { test: `${TESTS}/live.ts`, names: 'what could not be read while the service was away' },
  },
  {
    name: 'turned-person',
    what: 'the name of a person can turn the rest of a sentence',
    file: `${CONSOLE}/ui/sentence.tsx`,
    edits: [['<b key={part} dir="auto">', '<b key={part}>']],
    kill: { test: `${TESTS}/activity.ts`, names: 'names are isolated in a sentence' },
  },
  {
    name: 'day-of-24-hours',
    what: 'every day has 24 hours',
    file: `${CONSOLE}/days.ts`,
    edits: [['startOfDay(now, n - days + 1))', 'new Date(startOfDay(now).getTime() + (n - days + 1) * 86_400_000))']],
    kill: { test: `${UNIT}/days.test.ts`, names: 'a day on which the clock changes' },
  },
  {
    name: 'day-of-utc',
    what: 'the day of an address is that of UTC',
    file: `${CONSOLE}/days.ts`,
    edits: [['day.getDate()]', 'day.getUTCDate()]']],
    kill: { test: `${UNIT}/days.test.ts`, names: 'the last fourteen days end with today' },
  },
  {
    name: 'day-with-next-midnight',
    what: 'an order that ended at midnight is one of the day before too',
    file: `${CONSOLE}/screens/orders-view.ts`,
    edits: [['closedAt < to)', 'closedAt <= to)']],
    kill: { test: `${UNIT}/orders-view.test.ts`, names: 'an order is listed if all of the view is true of it' },
  },
  {
    name: 'day-begun-again',
    what: 'a day that is over begins again after a long absence',
    file: `${CONSOLE}/screens/events-list.ts`,
    edits: [['refresh: () => list.refresh() }', 'refresh: list.refresh }']],
    kill: { test: `${TESTS}/activity.ts`, names: 'the later pages of a day that is over stay' },
  },
  {
    name: 'latest-end-first',
    what: 'the open order that ends last is the first',
    file: `${CONSOLE}/screens/orders-view.ts`,
    edits: [["sort === 'expiring' ? -1 : 1", "sort === 'closed' ? -1 : 1"]],
    kill: { test: `${UNIT}/orders-view.test.ts`, names: 'open orders are sorted by their end' },
  },
  {
    name: 'count-of-others',
    what: 'the number of all open orders is beside those of one customer',
    file: `${CONSOLE}/screens/orders.tsx`,
    edits: [["status === 'placed' && view.pet === undefined && view.find === undefined &&", "status === 'placed' &&"]],
    kill: { test: `${TESTS}/orders-desk.ts`, names: 'unless the tab has those of one customer only' },
  },
  {
    name: 'renamed-from-itself',
    what: 'a new name is given as the old one',
    file: `${CONSOLE}/event-words.ts`,
    edits: [['values: { pet: previous.name, to: pet.name }', 'values: { pet: pet.name, to: pet.name }']],
    kill: { test: `${UNIT}/event-words.test.ts`, names: 'a change says what it was before' },
  },
  {
    name: 'lost-during-read',
    what: 'what happens while a list is read is lost',
    file: `${CONSOLE}/live-rows.ts`,
    edits: [['        take(arrived ?? [])\n', '']],
    kill: { test: `${UNIT}/live-rows.test.ts`, names: 'what happens while the first page is read' },
  },
  {
    name: 'forgotten-gap',
    what: 'after a read that failed, a log forgets that it has missed events',
    file: `${CONSOLE}/live-rows.ts`,
    edits: [['      hasMissed ||= missed\n      fail(', '      fail(']],
    kill: { test: `${UNIT}/live-rows.test.ts`, names: 'a log that has missed events begins again' },
  },
]
