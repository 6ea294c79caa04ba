/** Letters of a script, the frequent ones first: short words of them begin alike, as those of people do. */
const SCRIPTS = [
  'aemniortszkq',
  'AÉéøłßñÅçİıæﬁ',
  'аеинтёйЯЩ',
  'ασςΣάωΩΐ',
  'שלוםׁבּ',
  'مدحَُّﷺ',
  'もちかがガくきﾓｶﾞんー',
  '猫犬漢字马𠮷',
  '猫\u{20bb7}\ufa0e犬',
  'ไทยก็มา',
  'कािमन्दी',
  '한글가ᄒ',
  '𝕽𝖊𝖝１２3',
  '!?_・…',
  '\u{10ffff}\ue000\uffee\ufdd0',
].map((letters) => Array.from(letters))
const EMOJI = ['🐢', '👩🏽‍🚀', '❤️', '+', '🇩🇪']
const SEPARATORS = [' ', ' ', ' ', ' ', '-', "'", '\u3000', '\u200b']

/** Random numbers below 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A name of one to three words, in any script. */
export function randomName(random: () => number) {
  const letters = oneOf(SCRIPTS, random)
  const count = 1 + Math.floor(3 * random() ** 2)
  const words = Array.from({ length: count }, () =>
    random() < 0.05 ? oneOf(EMOJI, random) : randomWord(letters, random),
  )
  return words.reduce((name, word) => name + oneOf(SEPARATORS, random) + word)
}

function randomWord(letters: string[], random: () => number) {
  const length = 2 + Math.floor(8 * random())
  // The first are the most frequent.
  return Array.from({ length }, () => letters[Math.floor(letters.length * random() ** 1.5)]).join('')
}

export function oneOf<Value>(values: readonly Value[], random: () => number) {
  return values[Math.floor(values.length * random())]!
}
