import type { Mutant } from './mutant.ts'

const CONSOLE = 'packages/console/src'
const SCREENS = `${CONSOLE}/screens`
const BROWSER = 'test/browser/console'

/** Finding and adding pets, several at once, and categories. */
export const CONSOLE_PETLIST_MUTANTS: Mutant[] = [
  {
    name: 'add-before-found',
    what: 'a pet of a name is offered before it is known whether there is one',
    file: `${CONSOLE}/ui/palette.tsx`,
    edits: [['isFound && found.isKnown ? addHit', 'isFound || found.isKnown ? addHit']],
    kill: { test: `${BROWSER}/search.ts`, names: 'a search from everywhere that fails says so' },
  },
  {
    name: 'add-after-failure',
    what: 'a search that failed looks as if it had found nothing',
    file: `${CONSOLE}/ui/palette-hits.tsx`,
    edits: [['{ ...NOTHING, isPartial: true }', 'NOTHING']],
    kill: { test: `${BROWSER}/search.ts`, names: 'a search from everywhere that fails says so' },
  },
  {
    name: 'unsaid-partial-search',
    what: 'a search of a part of the pets counts as one of all',
    file: `${CONSOLE}/find-pets.ts`,
    edits: [['page.searchIncomplete !== undefined', 'page.searchIncomplete === 0']],
    kill: { test: `${BROWSER}/search.ts`, names: 'while not every pet can be found by its name' },
  },
  {
    name: 'sold-first',
    what: 'pets that are sold come first among those that were found',
    file: `${CONSOLE}/find-pets.ts`,
    edits: [
      [
        "Number(a.status === 'sold') - Number(b.status === 'sold')",
        "Number(b.status === 'sold') - Number(a.status === 'sold')",
      ],
    ],
    kill: { test: `${BROWSER}/search.ts`, names: '/ finds pets by the beginning of a word' },
  },
  {
    name: 'search-while-composing',
    what: 'a search begins while a character is composed',
    file: `${CONSOLE}/ui/pause.ts`,
    edits: [['event.isComposing ? stop() : start()', 'event.isComposing ? start() : start()']],
    kill: { test: `${BROWSER}/search.ts`, names: 'nothing is searched for while a character is composed' },
  },
  {
    name: 'reference-on-enter',
    what: 'a reference is looked for only after Enter',
    file: `${SCREENS}/orders-find.tsx`,
    edits: [['          {...pause.typing}\n', '']],
    kill: { test: `${BROWSER}/orders-desk.ts`, names: 'a reference is looked for as one types' },
  },
  {
    name: 'category-twice',
    what: 'a category without a response is added again, under another number',
    file: `${SCREENS}/categories-form.tsx`,
    edits: [['else if (namesake) setFaults', 'else if (namesake && !holder && id === lost.current) setFaults']],
    kill: { test: `${BROWSER}/manage.ts`, names: 'a category whose every response is lost' },
  },
  {
    name: 'category-own-number-taken',
    what: 'a category that was added without a response is taken for that of another person',
    file: `${SCREENS}/categories-form.tsx`,
    edits: [['if (isLost) lost.current = id', 'if (!isLost) lost.current = id']],
    kill: { test: `${BROWSER}/manage.ts`, names: 'a category whose every response is lost' },
  },
  {
    name: 'category-bare-number',
    what: 'the number of a category looks like a count',
    file: `${SCREENS}/categories.tsx`,
    edits: [['number={texts.common.unnamedCategory(category.id)}', 'number={String(category.id)}']],
    kill: { test: `${BROWSER}/manage.ts`, names: 'a category is added, renamed and removed' },
  },
  {
    name: 'bulk-new-key',
    what: 'an order of several that is sent again has another Idempotency-Key',
    file: `${SCREENS}/pets/bulk-work.ts`,
    edits: [['keys.get(order) ?? crypto.randomUUID()', 'crypto.randomUUID()']],
    kill: { test: `${BROWSER}/tasks-pets.ts`, names: 'of several sales, one without a response is named' },
  },
  {
    name: 'bulk-key-kept',
    what: 'another sale of a pet has the Idempotency-Key of the first, and returns it',
    file: `${SCREENS}/pets/bulk-work.ts`,
    edits: [['    keys.delete(order)\n    // Its own order', '    // Its own order']],
    kill: { test: `${BROWSER}/tasks-pets.ts`, names: 'of several sales, one without a response is named' },
  },
  {
    name: 'bulk-lost-completion',
    what: 'of several sales, a completion without a response counts as failed',
    file: `${SCREENS}/pets/bulk-work.ts`,
    edits: [["if (petOf(was.id)?.status !== 'sold') return", "if (petOf(was.id)?.status === 'sold') return"]],
    kill: { test: `${BROWSER}/tasks-pets.ts`, names: 'of several sales, one whose completion has no response' },
  },
  {
    name: 'turned-sentence',
    what: 'a name from right to left turns the rest of its sentence',
    file: `${CONSOLE}/isolate.ts`,
    edits: [['  return FIRST_STRONG + balanced + POP.repeat(open + 1)', '  return balanced + POP.repeat(open)']],
    kill: { test: 'test/console/isolate.test.ts', names: 'a name from right to left' },
  },
  {
    name: 'open-isolate',
    what: 'a name ends what was opened before it, and turns the rest all the same',
    file: `${CONSOLE}/isolate.ts`,
    edits: [["if (mark === POP && open === 0) return ''", "if (mark === '') return ''"]],
    kill: { test: 'test/console/isolate.test.ts', names: 'what a name opens ends with it' },
  },
  {
    name: 'unbounded-memory',
    what: 'what was seen is remembered for as long as the page is open',
    file: `${CONSOLE}/newest.ts`,
    edits: [['    all.delete(oldest)\n', '']],
    kill: { test: 'test/console/newest.test.ts', names: 'what was stored first is dropped' },
  },
]
