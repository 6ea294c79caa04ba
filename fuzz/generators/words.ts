import fc from 'fast-check'

/** One of the words of a text, which is easier to read than a list of quoted ones. */
export function oneOfWords(text: string, ...more: string[]) {
  return fc.constantFrom(...text.trim().split(/\s+/), ...more)
}
