import type { Wire } from './wire.ts'

const LIVE_MS = 200
const LINE_MS = 5_000

/** Shows how far a run is: on a terminal in one line that changes, elsewhere in a line every few seconds. */
export function showProgress(wire: Wire, total: number) {
  const { isTTY } = process.stderr
  const started = performance.now()
  const show = () => {
    const seconds = (performance.now() - started) / 1_000
    const statuses = Object.entries(wire.byStatus).map(([status, count]) => `${status}: ${count}`)
    const line = `${wire.requests} of ${total} requests, ${Math.round(wire.requests / seconds)}/s  ${statuses.join('  ')}`
    process.stderr.write(isTTY ? `\r\x1b[K${line}` : `${line}\n`)
  }
  const timer = setInterval(show, isTTY ? LIVE_MS : LINE_MS)
  return {
    stop: () => {
      clearInterval(timer)
      show()
      if (isTTY) process.stderr.write('\n')
    },
  }
}
