import type { Mutant } from './mutant.ts'

const CONSOLE = 'packages/console/src'
const LATER = 'test/browser/console/later.ts'

/** Faults of the second script of the console, and of where the focus is. */
export const LATER_MUTANTS: Mutant[] = [
  {
    name: 'later-at-once',
    what: 'the second script is loaded with the first screen, not after it',
    file: `${CONSOLE}/main.tsx`,
    edits: [["if (feedState.value !== 'connecting') void loadLater()", 'void loadLater()']],
    kill: { test: LATER, names: 'the later scripts are loaded once' },
  },
  {
    name: 'later-only-asked',
    what: 'the second script is loaded only when it is needed, and not before',
    file: `${CONSOLE}/main.tsx`,
    edits: [["if (feedState.value !== 'connecting') void loadLater()", 'void feedState.value']],
    kill: { test: LATER, names: 'the later scripts are loaded once' },
  },
  {
    name: 'later-fails-for-good',
    what: 'a second script that could not be loaded is not asked for again',
    file: `${CONSOLE}/later-load.ts`,
    edits: [['if (later.value) return', 'if (later.value || laterError.value) return']],
    kill: { test: LATER, names: 'a section whose script can’t be loaded' },
  },
  {
    name: 'later-stays-failed',
    what: 'a section says that it could not be loaded while nothing is known yet',
    file: `${CONSOLE}/app.tsx`,
    edits: [['laterError.value === undefined ? (', 'laterError.value !== undefined ? (']],
    kill: { test: LATER, names: 'the heading keeps the focus' },
  },
  {
    name: 'later-fails-silently',
    what: 'a dialog whose script could not be loaded does not come, and nothing says why',
    file: `${CONSOLE}/ui/later.tsx`,
    edits: [['    notify(texts.frame.notLoaded, { isError: true })\n', '']],
    kill: { test: LATER, names: 'a dialog and the bar of selected pets' },
  },
  {
    name: 'selected-without-bar',
    what: 'pets stay selected although the bar for them could not be loaded',
    file: `${CONSOLE}/screens/pets/pets.tsx`,
    edits: [['        isNeeded.current = false\n        selection.value = new Set()\n', '']],
    kill: { test: LATER, names: 'a dialog and the bar of selected pets' },
  },
]
