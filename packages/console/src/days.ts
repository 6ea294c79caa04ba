// Days of this browser, which have 23 or 25 hours where the clock changes.

/** When a day begins: that of a moment, or one so many days from it. */
export const startOfDay = (of: Date, offset = 0) => new Date(of.getFullYear(), of.getMonth(), of.getDate() + offset)

/** When each of the last days begins, the last one being today, and when that ends. */
export const boundariesOf = (days: number, now: Date) =>
  Array.from({ length: days + 1 }, (_, n) => startOfDay(now, n - days + 1))

/** `2030-03-15`, as an address has a day. */
export function dayText(day: Date) {
  const [year, ...others] = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
  return [String(year).padStart(4, '0'), ...others.map((n) => String(n).padStart(2, '0'))].join('-')
}

/** Undefined for what is no day. */
export function readDay(text: string | null | undefined) {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? []
  const found = new Date(Number(year), Number(month) - 1, Number(day))
  return dayText(found) === text ? found : undefined
}
