const ASCII = /^[ -~]*$/
// Those of the category S of Unicode: each is a word by itself.
const PARTS = /[a-z0-9]+|[$+<=>^`|~]/g
const [MAX_WORDS, MAX_CHARACTERS] = [16, 32]

/** The words of a name in printable ASCII, as the contract has them; undefined for any other, which only the service can read. */
export function asciiWords(name: string) {
  if (!ASCII.test(name)) return undefined
  const parts = name.toLowerCase().match(PARTS) ?? [name.replaceAll(' ', '')]
  return [...new Set(parts.map((part) => part.slice(0, MAX_CHARACTERS)))].slice(0, MAX_WORDS)
}

/**
 * The word by which a search finds a name, if it has one term: the first of those that begin with it. With several it is that of one of
 * them, which the service chooses. `null` for a name that is not found, undefined where that is not known.
 */
export function foundBy(name: string, text: string): string | null | undefined {
  const [words, terms] = [asciiWords(name), asciiWords(text)]
  if (!words || !terms) return undefined
  const matching = terms.map((term) => words.filter((word) => word.startsWith(term)))
  return matching.every((list) => list.length > 0) ? (matching[0]?.toSorted(inBytes)[0] ?? null) : null
}

/** In ASCII, they have the order of UTF-16. */
export function inBytes(a: string, b: string) {
  return a < b ? -1 : Number(a > b)
}
