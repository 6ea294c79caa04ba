import { canonicalInt64 } from './new-pet.ts'

const DEFAULT_LIMIT = 20

/** What a list was asked for, as far as that is clear: a response with success must obey it. */
export class Search {
  readonly #given = new Map<string, string[]>()

  constructor(search: string) {
    for (const part of search.split('&')) {
      const [name = '', ...value] = part.split('=')
      const key = decode(name)
      this.#given.set(key, [...(this.#given.get(key) ?? []), decode(value.join('='))])
    }
  }

  /** The value of a parameter that was given once. */
  get(name: string) {
    const [value, ...more] = this.#given.get(name) ?? []
    return more.length === 0 ? value : undefined
  }

  get limit() {
    return Number(this.get('limit') ?? DEFAULT_LIMIT)
  }

  /** In milliseconds since 1970. */
  time(name: string) {
    const ms = Date.parse(this.get(name) ?? '')
    return Number.isNaN(ms) ? undefined : ms
  }

  int64(name: string) {
    return canonicalInt64(this.get(name) ?? '')
  }
}

function decode(text: string) {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
