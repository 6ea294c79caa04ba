import type { Output } from './io.ts'

export interface Progress {
  /** From 0 to 1; undefined if the total is not known. */
  share: number | undefined
  lines: number
  rejected: number
}

const REDRAW_MS = 200
const PLAIN_LINE_MS = 5_000
const BAR_WIDTH = 24
const SECONDS_PER_MINUTE = 60

/**
 * Draws a progress bar on a terminal, and prints a plain line every few seconds elsewhere. `read` returns `undefined` as
 * long as there is nothing to show.
 */
export function showProgress(stream: Output, read: () => Progress | undefined, noun = 'line') {
  let start: { at: number; from: Progress } | undefined

  const draw = () => {
    const current = read()
    if (!current) return
    const { share } = current
    // A file that grows while it is read exceeds its size.
    const now = { ...current, share: share === undefined ? undefined : Math.min(Math.max(share, 0), 1) }
    // The work of an earlier run must not count towards the speed of this one.
    start ??= { at: performance.now(), from: now }
    const text = describe(now, start.from, (performance.now() - start.at) / 1_000, noun)
    const bar = now.share === undefined ? '' : `${drawBar(now.share)} `
    stream.write(stream.isTTY ? `\r\x1b[2K${(bar + text).slice(0, (stream.columns || 80) - 1)}` : `${text}\n`)
  }
  const clear = () => stream.isTTY && stream.write('\r\x1b[2K')
  const timer = setInterval(draw, stream.isTTY ? REDRAW_MS : PLAIN_LINE_MS)

  /** Prints a line above the progress bar. */
  const print = (text: string) => {
    clear()
    stream.write(`${text}\n`)
    if (stream.isTTY) draw()
  }
  const end = () => {
    clearInterval(timer)
    clear()
  }
  return { print, end }
}

function describe({ share, lines, rejected }: Progress, from: Progress, seconds: number, noun: string) {
  const parts = [many(lines, noun)]
  if (lines > from.lines) parts.push(`${count((lines - from.lines) / seconds)}/s`)
  if (share !== undefined) {
    parts.unshift(`${String(Math.floor(share * 100)).padStart(3)} %`)
    const speed = (share - (from.share ?? 0)) / seconds
    if (speed > 0) parts.push(`${duration((1 - share) / speed)} left`)
  }
  if (rejected > 0) parts.push(`${count(rejected)} rejected`)
  return parts.join('  ')
}

function drawBar(share: number) {
  const filled = Math.round(share * BAR_WIDTH)
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
}

/** 1,000,000 rather than 1000000. */
export function count(value: number) {
  return Math.round(value).toLocaleString('en')
}

/** 1 pet, 2 pets. */
export function many(value: number, noun: string, plural = `${noun}s`) {
  return `${count(value)} ${value === 1 ? noun : plural}`
}

export function duration(seconds: number) {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const rounded = Math.round(seconds)
  const minutes = Math.floor(rounded / SECONDS_PER_MINUTE)
  if (minutes === 0) return `${rounded} s`
  if (minutes < 60) return `${minutes} min ${rounded % SECONDS_PER_MINUTE} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
