/** Parses JSON with every digit: numbers that a double would round become bigints. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && context?.source ? BigInt(context.source) : value,
  )
}

/** JSON for people, with every digit. */
export function printJson(value: unknown, indent = 2) {
  return JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item),
    indent,
  )
}
