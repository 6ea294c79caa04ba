import type { Mutant } from './mutant.ts'

const CONSOLE = 'packages/console/src'
const PETS = `${CONSOLE}/screens/pets`
const TESTS = 'test/browser/console'

/** Faults of the panel of a pet, and of what is done in it. */
export const PANEL_MUTANTS: Mutant[] = [
  {
    name: 'panel-unseen-status',
    what: 'a status that somebody has set while it is corrected is replaced',
    file: `${PETS}/status-choice.tsx`,
    edits: [['isSeen ? pet.version : seen.version', 'isSeen || seen ? pet.version : seen.version']],
    kill: { test: `${TESTS}/panel.ts`, names: 'is not replaced unseen' },
  },
  {
    name: 'panel-unseen-deletion',
    what: 'a pet is deleted as it is now, not as it was when that was asked',
    file: `${PETS}/pet-menu.tsx`,
    edits: [['{ ifMatch: asked.version }', '{ ifMatch: pet.version ?? asked.version }']],
    kill: { test: `${TESTS}/panel.ts`, names: 'while its deletion is asked' },
  },
  {
    name: 'panel-lost-deletion',
    what: 'a deletion without a response counts as failed',
    file: `${PETS}/pet-menu.tsx`,
    edits: [
      ['if (!isUncertain(error) || petOf(pet.id) !== null)', 'if (isUncertain(error) || petOf(pet.id) !== null)'],
    ],
    kill: { test: `${TESTS}/interrupted.ts`, names: 'only its response is lost' },
  },
  {
    name: 'panel-saved-draft',
    what: 'a name that was saved without a response is still not saved',
    file: `${PETS}/fields.tsx`,
    edits: [['if (draft?.text === value) discard()', 'if (draft?.text === value) setFault(undefined)']],
    kill: { test: `${TESTS}/interrupted.ts`, names: 'only its response is lost' },
  },
  {
    name: 'panel-undo-in-field',
    what: 'Ctrl Z in a field that was typed in takes the last change of the pet back',
    file: `${PETS}/fields.tsx`,
    edits: [['draft === undefined && !isTyped', 'draft === undefined || !isTyped']],
    kill: { test: `${TESTS}/staff.ts`, names: 'Ctrl Z takes back what was typed' },
  },
  {
    name: 'panel-limited-read',
    what: 'a key that is limited sends a read at once',
    file: `${PETS}/rejections.ts`,
    edits: [
      [
        "if (hasCode(error, 'rate_limited')) return explain(error)",
        "if (hasCode(error, 'limited')) return explain(error)",
      ],
    ],
    kill: { test: `${TESTS}/interrupted.ts`, names: 'too many requests say when to try again' },
  },
  {
    name: 'panel-reused-key',
    what: 'an order with other words after one without a response is a fault of the program',
    file: `${PETS}/deal.tsx`,
    edits: [["hasCode(error, 'idempotency_key_reused')", "hasCode(error, 'idempotency_key_missing')"]],
    kill: { test: `${TESTS}/interrupted.ts`, names: 'a form that is changed after its order was placed' },
  },
  {
    name: 'panel-unknown-sale',
    what: 'a completion without a response is said to have failed',
    file: `${PETS}/deal.tsx`,
    edits: [['isUnknown ? t.halfUnknown : t.half', 'isUnknown ? t.half : t.half']],
    kill: { test: `${TESTS}/deal.ts`, names: 'is completed by the same form' },
  },
  {
    name: 'panel-nameless-note',
    what: 'what was rejected after its panel was closed does not say for which pet',
    file: `${CONSOLE}/ui/note.ts`,
    edits: [['notify(texts.common.about(latest.current, text)', "notify(texts.common.about('', text)"]],
    kill: { test: `${TESTS}/panel.ts`, names: 'after its panel was closed names the pet' },
  },
  {
    name: 'panel-focus-elsewhere',
    what: 'a pet that is opened from another section leaves the focus on the heading of the list',
    file: `${CONSOLE}/frame.tsx`,
    edits: [['main aside h2, main:not(:has(aside)) h1', 'main h1']],
    kill: { test: `${TESTS}/keyboard.ts`, names: 'who renamed a pet, when and from what' },
  },
  {
    name: 'panel-far-toast',
    what: 'the message of a form that has closed is not the next stop of the Tab key',
    file: `${CONSOLE}/ui/toast.tsx`,
    edits: [["event.key === 'Tab' && from?.isConnected === false", "event.key === 'Tab' && from === null"]],
    kill: { test: `${TESTS}/keyboard.ts`, names: 'a pet is found, sold and taken back' },
  },
  {
    name: 'panel-long-names',
    what: 'a long name hides the rest of its sentence',
    file: `${CONSOLE}/cut.ts`,
    edits: [['if (text.length <= most) return text', 'if (text.length >= 0) return text']],
    kill: { test: 'test/console/cut.test.ts', names: 'a longer one is cut' },
  },
]
