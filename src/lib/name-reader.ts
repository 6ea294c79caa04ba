import { setImmediate as nextTurn } from 'node:timers/promises'
import { lengthToRead, wordsOf } from './words.ts'

// Some hundred microseconds, and up to a few milliseconds if most of them have never been met.
const LENGTH_A_TURN = 4_000
/** What a name costs besides its characters. */
const LENGTH_OF_ANY = 10

/**
 * Makes the words of many names, a few in each turn of the event loop: names that are long to read must not keep other requests waiting.
 */
export class NameReader {
  /** How many characters were read. */
  length = 0
  #turnEnds = LENGTH_A_TURN

  async wordsOf(name: string) {
    if (this.length >= this.#turnEnds) {
      await nextTurn()
      this.#turnEnds = this.length + LENGTH_A_TURN
    }
    this.length += lengthToRead(name) + LENGTH_OF_ANY
    return wordsOf(name)
  }

  async wordsOfEach(names: readonly string[]) {
    const words: string[][] = []
    for (const name of names) words.push(await this.wordsOf(name))
    return words
  }
}
