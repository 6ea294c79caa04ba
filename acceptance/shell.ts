import { PLACEHOLDER } from './placeholders.ts'

/** The text as one word of a shell, in which the names of keys are still variables. */
export function quote(text: string) {
  if (!PLACEHOLDER.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const parts = text.split(new RegExp(`(${PLACEHOLDER.source})`))
  return `"${parts.map((part, i) => (i % 2 ? part : part.replaceAll(/["\\`$]/g, '\\$&'))).join('')}"`
}

/** Commands that print exactly these bytes. What is repeated many times is printed in a loop. */
export function print(bytes: string) {
  const commands: string[] = []
  let rest = bytes
  for (const [run, unit = ''] of bytes.matchAll(/(.{1,8}?)\1{59,}/gs)) {
    const at = rest.indexOf(run)
    commands.push(
      printOnce(rest.slice(0, at)),
      `printf '${printfEscaped(unit)}%.0s' $(seq ${run.length / unit.length})`,
    )
    rest = rest.slice(at + run.length)
  }
  return [...commands, printOnce(rest)].filter((command) => command !== '').join('; ')
}

function printOnce(bytes: string) {
  if (bytes === '') return ''
  const names = Array.from(bytes.matchAll(new RegExp(PLACEHOLDER, 'g')), ([name]) => ` "${name}"`)
  const format = bytes
    .split(PLACEHOLDER)
    .map((part) => printfEscaped(part))
    .join('%s')
  return `printf '${format}'${names.join('')}`
}

const SHORT: Record<string, string> = { '\r': '\\r', '\n': '\\n', '\\': '\\\\', '%': '%%' }

function printfEscaped(text: string) {
  return text.replaceAll(
    /[^ !-~]|['\\%]/g,
    (char) => SHORT[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
}

/** Text as a person reads it: what can't be seen is escaped, what is long is cut. */
export function show(text: string, most = 400) {
  const cut = text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text
  return cut.replaceAll(/[^\n\P{Cc}]/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
