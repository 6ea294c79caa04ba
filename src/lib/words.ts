/**
 * By which rules words are made. With another number, the words of every pet are made again; the test of the words tells when it has
 * to rise.
 */
export const WORDS_VERSION = 1

const MAX_WORDS = 16
const MAX_CHARACTERS = 32
/** One character is at most two units of UTF-16. */
const MAX_UNITS = 2 * MAX_CHARACTERS
/** What is read of a name. Those of 255 characters have more only if they are made of ligatures such as ﷺ, which stands for 18. */
const MAX_NORMALIZED = 1_024

const LETTER = /[\p{L}\p{N}\p{M}]/u
const SYMBOL = /\p{S}/u
// Marks of scripts in which people leave them out when they type. Those of kana, Thai and the scripts of India tell words apart.
const OPTIONAL_MARK =
  /[[[\p{Mn}\p{Me}]&&[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]--[\u3099\u309a]]/v
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Emoji_Modifier}]/u
const WITHOUT_SPACES =
  /[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]--\p{M}]/v
const KATAKANA = /^[\u30a1-\u30f6]$/
const KATAKANA_TO_HIRAGANA = -0x60
/** Letters that Unicode does not take apart. */
const AS_TYPED: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  ς: 'σ',
}

interface Folded {
  text: string
  /** A separator ends a word. A start begins one within a word, in a script without spaces. A symbol is a word by itself. */
  kind: 'letter' | 'start' | 'symbol' | 'separator' | 'ignored'
}

const ASCII = Array.from({ length: 128 }, (_, code) => fold(String.fromCharCode(code)))
// More than the characters of any language. Beyond that it is emptied: a sender of random characters must not fill the memory.
const MAX_KNOWN = 20_000
const known = new Map<string, Folded>()

function fold(character: string): Folded {
  if (OPTIONAL_MARK.test(character) || INVISIBLE.test(character)) return { text: '', kind: 'ignored' }
  // By way of upper case: a dotless i becomes an I.
  const parts = Array.from(character.toUpperCase().toLowerCase().normalize('NFKD'), (part) => AS_TYPED[part] ?? part)
  const text = parts.filter((part) => !OPTIONAL_MARK.test(part)).join('')
  if (KATAKANA.test(text))
    return { text: String.fromCharCode(text.charCodeAt(0) + KATAKANA_TO_HIRAGANA), kind: 'start' }
  if (WITHOUT_SPACES.test(text)) return { text, kind: 'start' }
  if (LETTER.test(text)) return { text, kind: 'letter' }
  return { text, kind: SYMBOL.test(text) ? 'symbol' : 'separator' }
}

function folded(character: string): Folded {
  const plain = ASCII[character.charCodeAt(0)]
  if (plain) return plain
  let found = known.get(character)
  if (!found) {
    found = fold(character)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(character, found)
  }
  return found
}

interface Run {
  text: string
  /** Where else in it a word begins. */
  starts: number[]
}

const NO_STARTS: number[] = []

/** The runs of letters in a text, folded, and its symbols. */
function runsOf(text: string): Run[] {
  const runs: Run[] = []
  let run = ''
  let starts = NO_STARTS
  const end = () => {
    if (run !== '') runs.push({ text: run, starts })
    run = ''
    starts = NO_STARTS
  }
  const normalized = isAscii(text) ? text : text.normalize('NFKD').slice(0, MAX_NORMALIZED)
  for (const character of normalized) {
    const { text: part, kind } = folded(character)
    if (kind === 'letter') run += part
    else if (kind === 'separator') end()
    else if (kind === 'start') {
      if (run !== '' && starts.length < MAX_WORDS) starts = [...starts, run.length]
      run += part
    } else if (kind === 'symbol') {
      end()
      run = part
      end()
    }
  }
  end()
  // A name may have nothing but punctuation, or marks, which get into order again without the spaces.
  if (runs.length === 0) runs.push({ text: normalized.replaceAll(/\s+/gu, '').normalize('NFKD'), starts: NO_STARTS })
  return runs
}

/** All of a text, with its punctuation, in the form in which names are compared: in lower case and without accents, spaces as one. */
export function foldedText(text: string) {
  const all = Array.from(text.normalize('NFKD'), (character) => folded(character).text).join('')
  return all.replaceAll(/\s+/gu, ' ').trim()
}

function isAscii(text: string) {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

function shortened(word: string) {
  if (word.length <= MAX_CHARACTERS) return word
  return Array.from(word.slice(0, MAX_UNITS)).slice(0, MAX_CHARACTERS).join('')
}

/** The words by which a name is found, each once. In a script without spaces, every character begins one. */
export function wordsOf(name: string): string[] {
  const words: string[] = []
  const add = (text: string) => {
    const word = shortened(text)
    if (word !== '' && !words.includes(word)) words.push(word)
  }
  for (const { text, starts } of runsOf(name)) {
    add(text)
    for (const start of starts) {
      if (words.length >= MAX_WORDS) return words
      add(text.slice(start))
    }
    if (words.length >= MAX_WORDS) return words
  }
  return words
}

/** What was typed: each term is a word or the beginning of one. A term that begins another one adds nothing, and is left out. */
export function termsOf(text: string): string[] {
  const terms = [...new Set(runsOf(text).map((run) => shortened(run.text)))].filter((term) => term !== '')
  return terms.filter((term) => !terms.some((other) => other !== term && other.startsWith(term)))
}

/**
 * The word by which a name is found: of those that begin with `driver`, the first in the order of the index. Undefined unless each term
 * begins a word of the name.
 */
export function matchOf(name: string, terms: readonly string[], driver: string): string | undefined {
  const words = wordsOf(name)
  if (!terms.every((term) => words.some((word) => word.startsWith(term)))) return undefined
  return words.filter((word) => word.startsWith(driver)).toSorted(compareBytes)[0]
}

/** As PostgreSQL orders text in the collation C. JavaScript's own order puts surrogate pairs before U+E000. */
export function compareBytes(a: string, b: string) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
