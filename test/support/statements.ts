import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** A statement as the driver gets it; not those that are plain strings, such as the files of migrations. */
interface Recorded {
  /** Empty for one that is not prepared. */
  name: string
  text: string
}

/** Records each statement that is sent from now on, whichever connection it takes. */
export function recordStatements() {
  const recorded = new Map<string, Recorded>()
  const query: pg.Client['query'] = Reflect.get(pg.Client.prototype, 'query')
  pg.Client.prototype.query = new Proxy(query, {
    apply(target, client, args: unknown[]) {
      const [statement] = args
      if (typeof statement === 'object' && statement !== null && 'text' in statement) {
        const name = 'name' in statement ? String(statement.name) : ''
        const text = unindented(String(statement.text))
        recorded.set(`${name}\n${text}`, { name, text })
      }
      return Reflect.apply(target, client, args) as unknown
    },
  })
  return () => recorded.values().toArray()
}

/** One after the other, by name; those without one come last. */
export function printed(statements: Recorded[]) {
  const list = statements.map(({ name, text }) => `-- ${name || '(not prepared)'}\n${text};\n`)
  return list.toSorted((a, b) => Number(a.startsWith('-- (')) - Number(b.startsWith('-- (')) || (a < b ? -1 : 1))
}

function unindented(text: string) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [first = '', ...others] = lines
  // The first line of a text that begins on the line of its quote has no indentation.
  const margins = (text.startsWith('\n') ? lines : others).map((line) => line.length - line.trimStart().length)
  const margin = margins.length > 0 ? Math.min(...margins) : 0
  const cut = (line: string) => line.slice(Math.min(margin, line.length - line.trimStart().length)).trimEnd()
  return [cut(first), ...others.map(cut)].join('\n')
}

/** A statement as it is written in the source: its name and its text, each without what is put in. */
export interface Written {
  file: string
  name: string[] | undefined
  text: string[]
}

const FILES = 'src/{storage,domain,jobs,delivery}/**/*.ts'
const NAME = /\bname: (['`])((?:(?!\1).)*)\1,\s*(?:\/\/.*\s*)*$/

/** Every `text:` with a literal in these folders: what a statement is made of. */
export function writtenStatements(): Written[] {
  return globSync(FILES).flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    return source
      .matchAll(/\btext: (?=['`])/g)
      .map(({ 0: { length }, index }): Written => {
        const name = NAME.exec(source.slice(0, index))?.[2]
        return { file, name: name?.split(/\$\{[^}]*\}/), text: literalAt(source, index + length) }
      })
      .toArray()
  })
}

/** The parts of the literal that begins here, between those that are put in. */
function literalAt(source: string, start: number) {
  const quote = source[start]
  const parts = ['']
  // Templates within what is put in, and braces within those.
  let depth = 0
  for (let i = start + 1; i < source.length; i++) {
    const character = source[i] ?? ''
    if (depth === 0 && character === quote) return parts
    if (quote === '`' && source.startsWith('${', i)) {
      if (depth++ === 0) parts.push('')
      i++
    } else if (depth > 0) depth += character === '{' ? 1 : character === '}' ? -1 : 0
    else if (character === '\\') parts.push(parts.pop() + (source[++i] ?? ''))
    else parts.push(parts.pop() + character)
  }
  throw new Error('a literal does not end')
}

/** Whether this has all the parts, in their order, whatever the space between words. */
export function hasParts(text: string, parts: readonly string[]) {
  const words = text.replace(/\s+/g, ' ')
  let from = 0
  return parts.every((part) => {
    const wanted = part.replace(/\s+/g, ' ').trim()
    const at = words.indexOf(wanted, from)
    from = at + wanted.length
    return at >= 0
  })
}
