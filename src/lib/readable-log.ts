const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

const CONSTANT_FIELDS = new Set(['pid', 'hostname'])
/** The fields that come first in a line about a response. */
const LEADING = new Set(['method', 'path', 'status'])

interface Line {
  level: number
  time: number
  msg?: string
  err?: { message?: string; stack?: string }
  [field: string]: unknown
}

/** Formats a log line for a terminal: time, level, message, and the remaining fields. */
export function readable(json: string) {
  // A cast: pino has just written this line.
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as Line
  const clock = new Date(time).toISOString().slice(11, 23)
  const isResponse = msg === 'request completed'
  const rest = Object.entries(fields).filter(
    ([name]) => !CONSTANT_FIELDS.has(name) && !(isResponse && LEADING.has(name)),
  )
  const what = isResponse ? [...LEADING].map((name) => shown(fields[name] ?? '-')).join(' ') : msg
  const text = [
    clock,
    (LEVELS[level] ?? String(level)).padEnd(5),
    what,
    ...rest.map(([name, value]) => `${name}=${shown(value)}`),
  ].join(' ')
  const stack = err?.stack ?? err?.message
  return `${[text, ...(stack?.split('\n') ?? [])].map(printable).join('\n    ')}\n`
}

function shown(value: unknown) {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Terminals interpret control characters, and a message may contain some. */
function printable(text: string) {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
