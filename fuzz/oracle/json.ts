/** A number as it was written: a double would lose digits. */
export class Literal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Json = null | boolean | string | Literal | Json[] | Map<string, Json>

/** What these bytes say as JSON; undefined when they are not JSON. */
export function readJson(bytes: Buffer): Json | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return JSON.parse(text, revive) as Json
  } catch {
    return undefined
  }
}

function revive(_key: string, value: unknown, context?: { source?: string }) {
  if (typeof value === 'number') return new Literal(context?.source ?? '')
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : value
}
