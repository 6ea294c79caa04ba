// Numbers, dates and plurals as the language of texts.ts writes them.
const LANGUAGE = 'en'
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const plurals = new Intl.PluralRules(LANGUAGE)
const numbers = new Intl.NumberFormat(LANGUAGE)
const milliseconds = new Intl.NumberFormat(LANGUAGE, { style: 'unit', unit: 'millisecond' })
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' })
const dateAndTime = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'medium' })
// A day of the service, whatever the time zone.
const days = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: 'UTC' })
const MOMENT = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
const moments = new Intl.DateTimeFormat(LANGUAGE, MOMENT)
const withSeconds = new Intl.DateTimeFormat(LANGUAGE, { ...MOMENT, second: '2-digit' })
const withYear = new Intl.DateTimeFormat(LANGUAGE, { ...MOMENT, year: 'numeric' })
const alternatives = new Intl.ListFormat(LANGUAGE, { type: 'disjunction' })

/** `1 pet`, `2 pets`. */
export function count(n: number | bigint, one: string, other: string) {
  return `${numbers.format(n)} ${plurals.select(Number(n)) === 'one' ? one : other}`
}

export const formatNumber = (n: number | bigint) => numbers.format(n)
/** `change, delete, or reserve`. */
export const formatOr = (words: readonly string[]) => alternatives.format(words)
export const formatMs = (n: number) => milliseconds.format(n)
export const formatDay = (day: string) => days.format(new Date(day))
export const formatDateTime = (when: string | Date) => dateAndTime.format(new Date(when))

/** The day and the time of a moment: with its seconds if that is today, and with its year if that is another one. */
export function formatMoment(when: string | Date, now = new Date()) {
  const moment = new Date(when)
  if (moment.toDateString() === now.toDateString()) return withSeconds.format(moment)
  return (moment.getFullYear() === now.getFullYear() ? moments : withYear).format(moment)
}

/** `5 minutes ago`, `in 3 days`. */
export function formatRelative(when: string | Date, now = Date.now()) {
  const ms = new Date(when).getTime() - now
  const size = Math.abs(ms)
  if (size < MINUTE) return relative.format(Math.round(ms / SECOND), 'second')
  if (size < HOUR) return relative.format(Math.round(ms / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.round(ms / HOUR), 'hour')
  return relative.format(Math.round(ms / DAY), 'day')
}

/** How long something still lasts: `1:05`, `2:00:09`, from a number of milliseconds. */
export function formatTimeLeft(ms: number) {
  const seconds = Math.max(0, Math.ceil(ms / SECOND))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const tail = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}
