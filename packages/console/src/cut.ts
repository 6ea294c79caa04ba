/** Texts of which each cuts its values off after so many characters: a longer name would hide the rest of its sentence. */
export function cutting<Texts>(texts: Texts, most: number): Texts {
  return wrap(texts, most) as Texts
}

/** Texts are cut between characters, as a person counts them. */
export function cut(text: string, most: number) {
  if (text.length <= most) return text
  const [end] = Array.from(new Intl.Segmenter().segment(text), ({ index }) => index).slice(most)
  return end === undefined ? text : `${text.slice(0, end).trimEnd()}…`
}

function wrap(value: unknown, most: number): unknown {
  if (typeof value === 'function')
    return (...args: unknown[]) =>
      (value as (...args: unknown[]) => unknown)(...args.map((arg) => (typeof arg === 'string' ? cut(arg, most) : arg)))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrap(inner, most)]))
}
