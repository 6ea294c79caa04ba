/**
 * By which rules words are made. With another number, the words of every pet are made again; the test of the words tells when it has
 * to rise.
 */
export const WORDS_VERSION = 1

const MAX_WORDS = 16
const MAX_CHARACTERS = 32
/**
 * What is read of a name, in units of UTF-16 of its normal form. Of 255 characters it may have more: 4,590 of ligatures such as ﷺ, 765 of
 * Korean syllables. Sixteen words of those are before this.
 */
const MAX_NORMALIZED = 300

const LETTER = /[\p{L}\p{N}\p{M}]/u
const SYMBOL = /\p{S}/u
// Marks of scripts in which people leave them out when they type. Those of kana, Thai and the scripts of India tell words apart, and the
// iota below a Greek letter is a letter in upper case.
const OPTIONAL_MARK =
  /[[[\p{Mn}\p{Me}]&&[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]--[\u0345\u3099\u309a]]/v
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Emoji_Modifier}]/u
const CASED = /\p{Changes_When_Casemapped}/u
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

const SEPARATOR: Folded = { text: '', kind: 'separator' }
const IGNORED: Folded = { text: '', kind: 'ignored' }

/** A character that has been taken apart by NFKD. Most have no case, and of what is tested first there is most. */
function fold(character: string): Folded {
  if (!CASED.test(character) && !KATAKANA.test(character)) {
    if (WITHOUT_SPACES.test(character)) return { text: character, kind: 'start' }
    if (OPTIONAL_MARK.test(character) || INVISIBLE.test(character)) return IGNORED
    if (LETTER.test(character)) return { text: character, kind: 'letter' }
    return SYMBOL.test(character) ? { text: character, kind: 'symbol' } : SEPARATOR
  }
  if (OPTIONAL_MARK.test(character) || INVISIBLE.test(character)) return IGNORED
  // By way of upper case: a dotless i becomes an I.
  const parts = Array.from(character.toUpperCase().toLowerCase().normalize('NFKD'), (part) => AS_TYPED[part] ?? part)
  const text = parts.filter((part) => !OPTIONAL_MARK.test(part)).join('')
  if (KATAKANA.test(text))
    return { text: String.fromCharCode(text.charCodeAt(0) + KATAKANA_TO_HIRAGANA), kind: 'start' }
  if (WITHOUT_SPACES.test(text)) return { text, kind: 'start' }
  if (LETTER.test(text)) return { text, kind: 'letter' }
  return SYMBOL.test(text) ? { text, kind: 'symbol' } : SEPARATOR
}

// By code point. All but those of `foldedOf`, which are cheap to tell: a sender of random characters must not fill the memory.
const known: Folded[][] = []
const PAGE_BITS = 8

/** As `fold`, without its cost for characters that have been met before, or are so many that most have not. */
function foldedOf(code: number): Folded {
  if (code >= 0x2_00_00) {
    // Planes of Han, and those that have no characters, or only such as mean nothing to others. One has tags and variation selectors.
    if (isHan(code)) return startOf(code)
    if (code < 0xe_00_00 || code >= 0xf_00_00) return SEPARATOR
  } else if (code >= 0xe0_00 && code < 0xf9_00) return SEPARATOR
  known[code >> PAGE_BITS] ??= []
  const page = known[code >> PAGE_BITS] ?? []
  const place = code & ((1 << PAGE_BITS) - 1)
  const found = page[place] ?? (isHan(code) ? startOf(code) : fold(String.fromCodePoint(code)))
  page[place] = found
  return found
}

function isHan(code: number) {
  return (code >= 0x4e_00 && code < 0xa0_00) || (code >= 0x2_00_00 && code < 0x4_00_00)
}

function startOf(code: number): Folded {
  return { text: String.fromCodePoint(code), kind: 'start' }
}

const ASCII = Array.from({ length: 128 }, (_, code) => foldedOf(code))

const MAX_UNIT = 0xff_ff

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
  const normalized = normalizedOf(text)
  for (let i = 0; i < normalized.length; i++) {
    const code = normalized.charCodeAt(i)
    let found = code < 128 ? ASCII[code] : undefined
    if (!found) {
      const point = normalized.codePointAt(i) ?? code
      if (point > MAX_UNIT) i++
      found = foldedOf(point)
    }
    const { text: part, kind } = found
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

/** What is read of a name: its length is what reading it costs. No pair of surrogates is divided. */
function normalizedOf(text: string) {
  if (isAscii(text)) return text
  const normalized = text.normalize('NFKD')
  if (normalized.length <= MAX_NORMALIZED) return normalized
  const isDivided = (normalized.codePointAt(MAX_NORMALIZED - 1) ?? 0) > MAX_UNIT
  return normalized.slice(0, isDivided ? MAX_NORMALIZED - 1 : MAX_NORMALIZED)
}

/** How many characters are read for the words of a name. */
export function lengthToRead(name: string) {
  return normalizedOf(name).length
}

/** All of a text, with its punctuation, in the form in which names are compared: in lower case and without accents, spaces as one. */
export function foldedText(text: string) {
  const all = Array.from(text.normalize('NFKD'), (character) => {
    const { text: part, kind } = foldedOf(character.codePointAt(0) ?? 0)
    return kind === 'separator' ? character : part
  }).join('')
  return all.replaceAll(/\s+/gu, ' ').trim()
}

function isAscii(text: string) {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

function shortened(word: string) {
  if (word.length <= MAX_CHARACTERS) return word
  let end = 0
  for (let i = 0; i < MAX_CHARACTERS && end < word.length; i++) end += (word.codePointAt(end) ?? 0) > MAX_UNIT ? 2 : 1
  return word.slice(0, end)
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
 * The word by which a name with these words is found: of those that begin with `driver`, the first in the order of the index. Undefined
 * unless each term begins one of them.
 */
export function matchOf(words: readonly string[], terms: readonly string[], driver: string): string | undefined {
  if (!terms.every((term) => words.some((word) => word.startsWith(term)))) return undefined
  return words.filter((word) => word.startsWith(driver)).toSorted(compareBytes)[0]
}

/** As PostgreSQL orders text in the collation C. JavaScript's own order puts surrogate pairs before U+E000. */
export function compareBytes(a: string, b: string) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
