import { escaped, Markup } from './html.ts'

type Language = 'bash' | 'typescript' | 'python' | 'go' | 'javascript' | 'json' | 'http'

const QUOTED = /"(?:[^"\\\n]|\\.)*"/
const SINGLE = /'(?:[^'\\\n]|\\.)*'/
const BACKTICKS = /`(?:[^`\\]|\\.)*`/
const NUMBER = /\b\d+n?\b/
const words = (list: string) => new RegExp(`\\b(?:${list.replaceAll(' ', '|')})\\b`)
const any = (...expressions: RegExp[]) => new RegExp(expressions.map(({ source }) => source).join('|'))

const SCRIPT: Kinds = {
  comment: /\/\/.*/,
  string: any(QUOTED, SINGLE, BACKTICKS),
  keyword: words(
    'import from const let await for of if else return new throw async function true false null undefined',
  ),
  number: NUMBER,
}

type Kind = 'comment' | 'property' | 'string' | 'keyword' | 'number'
type Kinds = Partial<Record<Kind, RegExp>>

// The expressions of each language, in the order in which they are tried.
const KINDS: Record<Language, Kinds> = {
  bash: {
    comment: /(?<=^|\s)#.*/,
    string: any(QUOTED, /'[^']*'/),
    keyword: /^curl\b/,
    property: /(?<=\s)-{1,2}[A-Za-z][\w-]*/,
  },
  typescript: SCRIPT,
  javascript: SCRIPT,
  python: {
    comment: /#.*/,
    string: any(/"""[\s\S]*?"""/, /(?:\br)?'(?:[^'\\\n]|\\.)*'/, /(?:\b[bfr])?"(?:[^"\\\n]|\\.)*"/),
    keyword: words('import from def return with as for in if not and or None True False raise'),
    number: NUMBER,
  },
  go: {
    comment: /\/\/.*/,
    string: any(QUOTED, BACKTICKS),
    keyword: words('package import func if err return defer range var nil for true false'),
    number: NUMBER,
  },
  json: {
    property: /"(?:[^"\\]|\\.)*"(?=\s*:)/,
    string: QUOTED,
    keyword: words('true false null'),
    number: /-?\b\d+(?:\.\d+)?\b/,
  },
  http: { property: /^[\w-]+(?=:)/ },
}

const EXPRESSIONS = new Map(
  Object.entries(KINDS).map(([language, kinds]) => {
    const source = Object.entries(kinds).map(([kind, { source: each }]) => `(?<${kind}>${each})`)
    return [language, new RegExp(source.join('|'), 'gm')]
  }),
)

/** Marks up code with a class for each kind of token. */
export function highlight(code: string, language: string): Markup {
  const expression = EXPRESSIONS.get(language)
  if (!expression) return new Markup(escaped(code))
  let [text, end] = ['', 0]
  for (const { 0: token, index, groups = {} } of code.matchAll(expression)) {
    const [kind = ''] = Object.entries(groups).find(([, match]) => match !== undefined) ?? []
    text += `${escaped(code.slice(end, index))}<span class="${kind}">${escaped(token)}</span>`
    end = index + token.length
  }
  return new Markup(text + escaped(code.slice(end)))
}
