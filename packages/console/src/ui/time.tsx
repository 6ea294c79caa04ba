import { useEffect, useState } from 'preact/hooks'
import { limitedUntil } from '../api.ts'
import { formatDateTime, formatLeft, formatMoment, formatRelative, formatWhen, SOON_MS } from '../format.ts'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'

interface TimeProps {
  at: string
  /** `5 minutes ago`, kept up to date. */
  relative?: boolean
  /** The time if that is today, else only the day. */
  isShort?: boolean
}

/** A moment, with its full date and time as the tooltip. */
export function Time({ at, relative = false, isShort = false }: TimeProps) {
  useTick(relative ? 10_000 : undefined)
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {relative ? formatRelative(at) : isShort ? formatWhen(at) : formatMoment(at)}
    </time>
  )
}

/** How long an order still holds its pet, in words; marked and counted in seconds in the last minutes. The service closes it within seconds. */
export function TimeLeft({ until }: { until: string }) {
  useTick(1_000)
  const ms = Date.parse(until) - Date.now()
  return (
    <span class={ms < SOON_MS ? 'left soon' : 'left'} title={formatDateTime(until)}>
      {ms < SOON_MS && <Icon of="clock" />}
      {ms > 0 ? formatLeft(ms) : texts.orders.timeIsUp}
    </span>
  )
}

/** How much of the time is left, as a line. Words beside it say the same. */
export function LineLeft({ from, until }: { from: string; until: string }) {
  useTick(1_000)
  const left = (Date.parse(until) - Date.now()) / (Date.parse(until) - Date.parse(from))
  return (
    <svg class="line-left" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="whole" width="100" height="4" />
      <rect width={100 * Math.max(0, Math.min(1, left))} height="4" />
    </svg>
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
