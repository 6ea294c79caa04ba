import { useEffect, useState } from 'preact/hooks'
import { limitedUntil } from '../api.ts'
import { formatDateTime, formatMoment, formatRelative } from '../format.ts'
import { texts } from '../texts.ts'

/** A moment, with its full date and time as the tooltip. `relative`: `5 minutes ago`, kept up to date. */
export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  useTick(relative ? 10_000 : undefined)
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {relative ? formatRelative(at) : formatMoment(at)}
    </time>
  )
}

/** Counts down until the service accepts requests of this key again. As a timer, it is announced once, not every second. */
export function Limited() {
  useTick(1_000)
  const seconds = Math.ceil((limitedUntil.value - Date.now()) / 1_000)
  return <span role="timer">{texts.common.limited(Math.max(0, seconds))}</span>
}

/** Renders this component again every so many milliseconds. */
export function useTick(everyMs: number | undefined) {
  const [, tick] = useState(0)
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => tick((n) => n + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
