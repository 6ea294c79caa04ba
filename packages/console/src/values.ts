/** Texts of which each changes the values that it has a place for. */
export function withValues<Texts>(texts: Texts, change: (value: string) => string): Texts {
  return wrap(texts, change) as Texts
}

function wrap(value: unknown, change: (value: string) => string): unknown {
  if (typeof value === 'function')
    return (...args: unknown[]) =>
      (value as (...args: unknown[]) => unknown)(...args.map((arg) => (typeof arg === 'string' ? change(arg) : arg)))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrap(inner, change)]))
}
