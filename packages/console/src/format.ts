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
// The day before the month, and 24 hours.
const DATES = 'en-GB'
const dateAndTime = new Intl.DateTimeFormat(DATES, { dateStyle: 'medium', timeStyle: 'medium' })
// A day of the service, whatever the time zone.
const days = new Intl.DateTimeFormat(DATES, { dateStyle: 'medium', timeZone: 'UTC' })
const clock = new Intl.DateTimeFormat(DATES, { timeStyle: 'short' })
const DAY_AND_MONTH = { month: 'short', day: 'numeric' } as const
const dayAndMonth = new Intl.DateTimeFormat(DATES, DAY_AND_MONTH)
const withYear = new Intl.DateTimeFormat(DATES, { ...DAY_AND_MONTH, year: 'numeric' })
const weekdays = new Intl.DateTimeFormat(DATES, { weekday: 'long', day: 'numeric', month: 'long' })
const weekdayLetters = new Intl.DateTimeFormat(DATES, { weekday: 'narrow' })
const alternatives = new Intl.ListFormat(LANGUAGE, { type: 'disjunction' })

/** `1 pet`, `2 pets`. */
export function count(n: number | bigint, one: string, other: string) {
  return `${numbers.format(n)} ${plurals.select(Number(n)) === 'one' ? one : other}`
}

export const formatNumber = (n: number | bigint) => numbers.format(n)
/** Counts of the service end at this number. */
export const MOST_COUNTED = 1_000
/** `37`; `1,000+` for 1,000 or more. */
export const formatCount = (n: number) => (n < MOST_COUNTED ? numbers.format(n) : `${numbers.format(MOST_COUNTED)}+`)
/** `37`; `1k+` for 1,000 or more, where there is no room. */
export const formatShortCount = (n: number) => (n < MOST_COUNTED ? numbers.format(n) : '1k+')
/** `BW` for `Ben (weekend)`. */
export const initialsOf = (name: string) =>
  Array.from(name.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu), ([word]) => Array.from(word)[0]?.toUpperCase())
    .slice(0, 2)
    .join('')
/** `change, delete, or reserve`. */
export const formatOr = (words: readonly string[]) => alternatives.format(words)
export const formatMs = (n: number) => milliseconds.format(n)
export const formatDay = (day: string) => days.format(new Date(day))
export const formatDateTime = (when: string | Date) => dateAndTime.format(new Date(when))

/** `15:45`. */
export const formatClock = (when: string | Date) => clock.format(new Date(when))
/** `Friday 15 March`. */
export const formatWeekday = (when: string | Date) => weekdays.format(new Date(when))

/** `Friday 15 March`, with the year unless it is this one. */
export const formatLongDay = (when: Date, now = new Date()) =>
  when.getFullYear() === now.getFullYear() ? formatWeekday(when) : `${formatWeekday(when)} ${when.getFullYear()}`

/** `F`. */
export const formatWeekdayLetter = (when: Date) => weekdayLetters.format(when)

/** `15 Mar`, with the year unless it is this one. */
export function formatDate(when: string | Date, now = new Date()) {
  const moment = new Date(when)
  return (moment.getFullYear() === now.getFullYear() ? dayAndMonth : withYear).format(moment)
}

/** The time today, else the day. For lists, in which a moment must be short. */
export function formatWhen(when: string | Date, now = new Date()) {
  return isSameDay(when, now) ? formatClock(when) : formatDate(when, now)
}

/** The time, after the day unless that is today. */
export function formatMoment(when: string | Date, now = new Date()) {
  return isSameDay(when, now) ? formatClock(when) : `${formatDate(when, now)}, ${formatClock(when)}`
}

/** Whether both are on one day of this browser. */
const isSameDay = (when: string | Date, now: Date) => new Date(when).toDateString() === now.toDateString()

/** `5 minutes ago`, `in 3 days`. */
export function formatRelative(when: string | Date, now = Date.now()) {
  const ms = new Date(when).getTime() - now
  const size = Math.abs(ms)
  if (size < MINUTE) return relative.format(Math.round(ms / SECOND), 'second')
  if (size < HOUR) return relative.format(Math.round(ms / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.round(ms / HOUR), 'hour')
  return relative.format(Math.round(ms / DAY), 'day')
}

/** `4:59` in the last five minutes, and before that `11 min`, `2 h 30 min`. */
export function formatLeft(ms: number) {
  if (ms < SOON_MS) return formatTimeLeft(ms)
  const minutes = Math.floor(ms / MINUTE)
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** An order that ends this soon is marked. */
export const SOON_MS = 5 * MINUTE

/** How long something still lasts: `1:05`, `2:00:09`, from a number of milliseconds. */
export function formatTimeLeft(ms: number) {
  const seconds = Math.max(0, Math.ceil(ms / SECOND))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const tail = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}
