/** Markup that is escaped already. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Markup | undefined | Piece[]

/** A template whose values are escaped, unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: Piece[]): Markup {
  return new Markup(strings.reduce((text, string, i) => `${text}${render(values[i - 1])}${string}`))
}

/** Plain text with `code` between backticks. */
export function prose(text: string): Markup {
  return new Markup(escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'))
}

function render(value: Piece): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(render).join('')
  return value instanceof Markup ? value.text : escaped(String(value))
}

function escaped(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
