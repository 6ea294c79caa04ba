const FIRST_STRONG = '\u2068'
const POP = '\u2069'

/** Whether a text could change the order of what is around it: it has letters from right to left, or marks of direction. */
const TURNS =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A name as it stands in a sentence: whatever its direction is, that of the sentence stays, as in a `<bdi>`. */
export function isolate(text: string) {
  if (!TURNS.test(text)) return text
  let depth = 0
  const closed = text.replaceAll(/[\u2066-\u2069]/g, (mark) => {
    if (mark !== POP) depth++
    else if (depth === 0)
      return '' // It would end ours.
    else depth--
    return mark
  })
  return FIRST_STRONG + closed + POP.repeat(depth + 1)
}

/** The same texts, with whatever their sentences are about isolated, and cut off after so many characters. */
export function isolated<Texts>(texts: Texts, most = Number.POSITIVE_INFINITY): Texts {
  return within(texts, (text) => isolate(cut(text, most))) as Texts
}

function cut(text: string, most: number) {
  if (text.length <= most) return text
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most).join('').trimEnd()}…`
}

function within(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'function')
    return (...args: unknown[]) =>
      (value as (...args: unknown[]) => unknown)(...args.map((one) => (typeof one === 'string' ? change(one) : one)))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner, change)]))
}
