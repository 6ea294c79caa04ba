type Search = Map<string, string[]>

const DEFAULT_LIMIT = 20

/** The parameters of a query, each with all of its values. */
export function readSearch(search: string): Search {
  const parameters: Search = new Map()
  for (const part of search.split('&')) {
    const [name = '', ...value] = part.split('=')
    const key = decode(name)
    parameters.set(key, [...(parameters.get(key) ?? []), decode(value.join('='))])
  }
  parameters.delete('')
  return parameters
}

/** The value of a parameter that may be given once. */
export function once(given: Search, name: string, faults: Set<string>, code = 'invalid_parameter') {
  const values = given.get(name) ?? []
  if (values.length > 1) faults.add(code)
  return values.length === 1 ? values[0] : undefined
}

export function limitOf(given: Search, faults: Set<string>) {
  const limit = once(given, 'limit', faults)
  if (limit === undefined) return DEFAULT_LIMIT
  if (!/^[0-9]{1,3}$/.test(limit) || limit.startsWith('0') || Number(limit) > 100) faults.add('invalid_parameter')
  return Number(limit)
}

export function cursorOf(given: Search, faults: Set<string>) {
  return once(given, 'cursor', faults, 'invalid_cursor')
}

function decode(text: string) {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
