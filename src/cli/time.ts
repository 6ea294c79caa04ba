/** Formats a time to the minute, in UTC. */
export function formatMinute(date: Date | null) {
  return date ? date.toISOString().slice(0, 16).replace('T', ' ') : 'never'
}

/** Formats a time to the second, in UTC. */
export function formatSecond(time: Date | string | undefined) {
  if (time === undefined) return '-'
  return (typeof time === 'string' ? time : time.toISOString()).slice(0, 19).replace('T', ' ')
}
