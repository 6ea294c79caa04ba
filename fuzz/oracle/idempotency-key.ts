/** What the headers of this name say: nothing, a key, or something that is none. */
export function readKey(values: string[]): { key?: string } | 'malformed' {
  const [first, ...more] = values
  if (first === undefined) return {}
  if (more.length > 0) return 'malformed'
  const text = first.replaceAll(/^[ \t]+|[ \t]+$/g, '')
  const key = text.startsWith('"') ? unquoted(text) : text
  if (key === undefined || key.length < 1 || key.length > 255) return 'malformed'
  return Array.from(key).every((char) => char >= ' ' && char <= '~') ? { key } : 'malformed'
}

/** The value of a quoted string: a backslash only before a quote or a backslash, a bare quote only at the end. */
function unquoted(text: string) {
  let key = ''
  for (let i = 1; i < text.length; i++) {
    const char = text[i]
    if (char === '"') return i === text.length - 1 ? key : undefined
    if (char === '\\') {
      const next = text[++i]
      if (next !== '"' && next !== '\\') return undefined
      key += next
    } else key += char
  }
  return undefined
}
