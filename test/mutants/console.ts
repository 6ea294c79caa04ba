import type { Mutant } from './mutant.ts'

const CONSOLE = 'packages/console/src'
const PETS = `${CONSOLE}/screens/pets`
const TESTS = 'test/browser/console'

/** One fault each, of the kinds that consoles really have. */
export const CONSOLE_MUTANTS: Mutant[] = [
  {
    name: 'no-if-match',
    what: 'a change is sent without `If-Match`',
    file: `${PETS}/records.ts`,
    edits: [['pets.update(id, patch, { ifMatch: version })', 'pets.update(id, patch, version ? {} : {})']],
    kill: { test: `${TESTS}/panel.ts`, names: 'of two browsers that race' },
  },
  {
    name: 'delete-without-if-match',
    what: 'a deletion is sent without `If-Match`',
    file: `${PETS}/pet-menu.tsx`,
    edits: [['pets.delete(pet.id, { ifMatch: asked.version })', 'pets.delete(pet.id, {})']],
    kill: { test: `${TESTS}/panel.ts`, names: 'a pet that somebody has changed is not deleted' },
  },
  {
    name: 'bulk-newest-version',
    what: 'a bulk change is made to pets as they are now, not as they were shown',
    file: `${PETS}/bulk-work.ts`,
    edits: [
      ['      try {\n        const result =', '      try {\n        await readPet(pet.id)\n        const result ='],
      ['change(was.id, patch, was.version)', 'change(was.id, patch, petOf(was.id)?.version ?? was.version)'],
    ],
    kill: { test: `${TESTS}/edges.ts`, names: 'a bulk change leaves a pet alone' },
  },
  {
    name: 'kept-selection',
    what: 'the selection survives a change of the filter',
    file: `${PETS}/pets.tsx`,
    edits: [['    [view.key],\n  )\n  const [isExporting', '    [],\n  )\n  const [isExporting']],
    kill: { test: `${TESTS}/pets.ts`, names: 'the selection is cleared' },
  },
  {
    name: 'number-from-field',
    what: 'a number that is typed goes through `Number()`',
    file: `${CONSOLE}/int64.ts`,
    edits: [["BigInt(digits.replace(/^\\+/, ''))", "BigInt(Number(digits.replace(/^\\+/, '')))"]],
    kill: { test: `${TESTS}/add-pet.ts`, names: 'is stored exactly' },
  },
  {
    name: 'number-from-url',
    what: 'a number in the URL goes through `Number()`',
    file: `${PETS}/view.ts`,
    edits: [
      [
        "typeof value === 'string' ? undefined : value",
        "typeof value === 'string' ? undefined : BigInt(Number(value))",
      ],
    ],
    kill: { test: `${TESTS}/pets.ts`, names: 'a category narrows the list, with all 64 bits' },
  },
  {
    name: 'number-in-json',
    what: 'the JSON of an event goes through `Number()`',
    file: `${CONSOLE}/screens/activity.tsx`,
    edits: [
      [
        '<pre tabIndex={0}>{stringify(event, 2)}</pre>',
        "<pre tabIndex={0}>{JSON.stringify(event, (_, v) => (typeof v === 'bigint' ? Number(v) : v), 2)}</pre>",
      ],
    ],
    kill: { test: `${TESTS}/activity.ts`, names: 'digit for digit' },
  },
  {
    name: 'stripped-point',
    what: '1.5 is read as 15',
    file: `${CONSOLE}/int64.ts`,
    edits: [["text.replaceAll(/\\s/g, '')", "text.replaceAll(/[\\s.,]/g, '')"]],
    kill: { test: `${TESTS}/add-pet.ts`, names: 'faults are caught before anything is sent' },
  },
  {
    name: 'no-read-after-412',
    what: 'after 412 the pet is not read again',
    file: `${PETS}/rejections.ts`,
    edits: [['const isRead = await readPet(id).then(', 'const isRead = await Promise.resolve().then(']],
    kill: { test: `${TESTS}/edges.ts`, names: 'after 412 the pet is read again' },
  },
  {
    name: 'no-roll-back',
    what: 'a change that is rejected stays on the screen',
    file: `${PETS}/records.ts`,
    edits: [
      [
        '  } finally {\n    expected.value = expected.value.filter((one) => one !== mine)',
        '    expected.value = expected.value.filter((one) => one !== mine)\n  } finally {',
      ],
    ],
    kill: { test: `${TESTS}/panel.ts`, names: 'a refusal rolls the change back' },
  },
  {
    name: 'late-change',
    what: 'a change is shown when the service has confirmed it',
    file: `${PETS}/records.ts`,
    edits: [['expected.value = [...expected.value, mine]', 'expected.value = [...expected.value]']],
    kill: { test: `${TESTS}/panel.ts`, names: 'a new status is shown within 50 ms' },
  },
  {
    name: 'no-focus-return',
    what: 'closing the panel leaves the focus nowhere',
    file: `${CONSOLE}/screens/table-rows.ts`,
    edits: [
      [
        'const rows = rowLinks()\n  const row =',
        'if (id !== undefined) return\n  const rows = rowLinks()\n  const row =',
      ],
    ],
    kill: { test: `${TESTS}/pets.ts`, names: 'Esc gives the focus back to the row' },
  },
  {
    name: 'no-focus-on-section',
    what: 'a change of section leaves the focus where it was',
    file: `${CONSOLE}/frame.tsx`,
    edits: [["('main aside h2, main:not(:has(aside)) h1')?.focus()", "('#none')?.focus()"]],
    kill: { test: `${TESTS}/frame.ts`, names: 'a change of section moves the title and the focus' },
  },
  {
    name: 'key-per-submit',
    what: 'each submit has an Idempotency-Key of its own',
    file: `${PETS}/add-pet.tsx`,
    edits: [['{ idempotencyKey })', '{ idempotencyKey: crypto.randomUUID() })']],
    kill: { test: `${TESTS}/add-pet.ts`, names: 'sent again after its response was lost' },
  },
  {
    name: 'order-key-per-submit',
    what: 'each submit of a sale has an Idempotency-Key of its own',
    file: `${PETS}/deal.tsx`,
    edits: [['...wanted }, { idempotencyKey })', '...wanted }, { idempotencyKey: crypto.randomUUID() })']],
    kill: { test: `${TESTS}/deal.ts`, names: 'is sent again with the same key' },
  },
  {
    name: 'half-sale-unsaid',
    what: 'a sale of which only the order was stored looks as if nothing was',
    file: `${PETS}/deal.tsx`,
    edits: [['const isHalf = isPlaced && !isOver', 'const isHalf = isPlaced && isOver']],
    kill: { test: `${TESTS}/deal.ts`, names: 'leaves its order, and says so' },
  },
  {
    name: 'lost-completion',
    what: 'a completion whose response was lost counts as failed',
    file: `${PETS}/deal.tsx`,
    edits: [['if (isPlaced && wasSold(', 'if (!isPlaced && wasSold(']],
    kill: { test: `${TESTS}/deal.ts`, names: 'a completion whose every response is lost' },
  },
  {
    name: 'undo-old-version',
    what: 'undo sends the version of before the change',
    file: `${PETS}/panel.tsx`,
    edits: [
      ['takeBack(after, inverse(before, patch), showNote)', 'takeBack(before, inverse(before, patch), showNote)'],
    ],
    kill: { test: `${TESTS}/panel.ts`, names: 'undo is the inverse change' },
  },
  {
    name: 'moving-rows',
    what: 'newer pets push the rows down as they come',
    file: `${CONSOLE}/live-rows.ts`,
    edits: [['if (!source.isLog && shown.length === 0 && waiting.length > 0)', 'if (waiting.length > 0)']],
    kill: { test: `${TESTS}/pets.ts`, names: 'newer pets wait behind a button' },
  },
  {
    name: 'rows-lost-offline',
    what: 'a read that fails takes the rows away',
    file: `${CONSOLE}/live-rows.ts`,
    edits: [
      [
        'if (!ending.signal.aborted) error.value = thrown',
        'if (!ending.signal.aborted) [error.value, data.value] = [thrown, undefined]',
      ],
    ],
    kill: { test: `${TESTS}/edges.ts`, names: 'rows stay when they can’t be read again' },
  },
  {
    name: 'error-disappears',
    what: 'the toast of an error goes by itself',
    file: `${CONSOLE}/ui/toast.tsx`,
    edits: [['if (isError) return', 'if (isError && id < 0) return']],
    kill: { test: `${TESTS}/edges.ts`, names: 'an error stays' },
  },
  {
    name: 'shortcut-in-text',
    what: 'single keys act while text is typed',
    file: `${CONSOLE}/ui/shortcuts.ts`,
    edits: [['event.target.closest(elsewhere)) return', "event.target.closest('dialog')) return"]],
    kill: { test: `${TESTS}/edges.ts`, names: 'letters of shortcuts are text' },
  },
  {
    name: 'curl-with-key',
    what: 'the curl line has a key in place of a variable',
    file: `${PETS}/pet-menu.tsx`,
    edits: [['Bearer $PETSTORE_KEY', `Bearer petk_live_\${'0'.repeat(36)}`]],
    kill: { test: `${TESTS}/panel.ts`, names: 'a curl line without a key' },
  },
  {
    name: 'palette-order-id',
    what: 'the palette knows no ids of orders with `-`',
    file: `${CONSOLE}/ui/commands.ts`,
    edits: [['/^ord_[\\w-]+$/', '/^ord_[a-zA-Z0-9]+$/']],
    kill: { test: `${TESTS}/frame.ts`, names: 'digits in the palette open a pet' },
  },
  {
    name: 'export-unbounded',
    what: 'an export has no limit',
    file: `${PETS}/export.tsx`,
    edits: [['if (found.length === MAX_EXPORTED)', 'if (found.length < 0)']],
    kill: { test: `${TESTS}/edges.ts`, names: 'at most 10,000' },
  },
  {
    name: 'cancel-at-once',
    what: 'a pet is released without a question',
    file: `${PETS}/held.tsx`,
    edits: [['onClick={() => !isBusy && setAsking(true)}', "onClick={() => void end('cancel')}"]],
    kill: { test: `${TESTS}/orders.ts`, names: 'Release asks first' },
  },
  {
    name: 'each-tab-listens',
    what: 'every tab listens to the feed',
    file: `${CONSOLE}/feed.ts`,
    edits: [['navigator.locks.request(name, ', 'navigator.locks.request(crypto.randomUUID(), ']],
    kill: { test: `${TESTS}/edges.ts`, names: 'a second tab never asks for events' },
  },
  {
    name: 'readable-cookie',
    what: 'scripts can read the session cookie',
    file: 'src/http/gate/sessions.ts',
    edits: [['Secure; HttpOnly; SameSite', 'Secure; SameSite']],
    kill: { test: 'test/http/console/session.test.ts', names: 'signing in sets the cookie' },
  },
  {
    name: 'session-of-any-site',
    what: 'a session is accepted without `Sec-Fetch-Site: same-origin`',
    file: 'src/http/gate/sessions.ts',
    edits: [['  if (!isSameOrigin(request)) return undefined\n', '']],
    kill: { test: 'test/http/console/hostile.test.ts', names: 'is not signed in by the cookie' },
  },
  {
    name: 'sign-in-of-any-site',
    what: 'another site can sign a browser in',
    file: 'src/http/console/routes.ts',
    edits: [['if (!isSameOrigin(request))\n', "if (request.method === 'PUT')\n"]],
    kill: { test: 'test/http/console/hostile.test.ts', names: 'cannot sign in or out' },
  },
]
