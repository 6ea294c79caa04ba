const PLAIN = 'aceinosuyACEINOSUY'
const ACCENTED = 'áçéíñöšüýÁÇÉÍÑÖŠÜÝ'

/** A pseudo-locale for tests: each text is accented and 40 % longer, so what is not in texts.ts or cut off is seen. */
export function pseudo<Texts>(texts: Texts): Texts {
  return translate(texts) as Texts
}

function translate(value: unknown): unknown {
  if (typeof value === 'string') return lengthen(value)
  if (typeof value === 'function')
    return (...args: unknown[]) => translate((value as (...args: unknown[]) => unknown)(...args))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, translate(inner)]))
}

function lengthen(text: string) {
  // Not the places in which a sentence has its names.
  const accented = text.replaceAll(/\{\w+\}|./gs, (part) => ACCENTED[PLAIN.indexOf(part)] ?? part)
  return `[${accented}${'~'.repeat(Math.ceil(text.length * 0.4))}]`
}
