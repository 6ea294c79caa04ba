/** As an operator reads it, in UTC. */
export function minute(date: Date | null) {
  return date ? date.toISOString().slice(0, 16).replace('T', ' ') : 'never'
}

/** The same, to the second. */
export function second(time: Date | string | undefined) {
  if (time === undefined) return '-'
  return (typeof time === 'string' ? time : time.toISOString()).slice(0, 19).replace('T', ' ')
}
