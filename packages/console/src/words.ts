// Names are folded as the service folds them, so that what an event brings matches what a search finds.
export { termsOf, wordsOf } from '../../../src/lib/words.ts'
