import { useEffect, useRef } from 'preact/hooks'

/** After the last key. */
const PAUSE_MS = 200

/** For a field that searches as one types: runs when the person pauses, and never while a character is being composed. */
export function usePause(run: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(run)
  latest.current = run
  const stop = () => clearTimeout(timer.current)
  const start = () => {
    stop()
    timer.current = setTimeout(() => latest.current(), PAUSE_MS)
  }
  useEffect(() => stop, [])
  return {
    now: () => {
      stop()
      latest.current()
    },
    typing: {
      onInput: (event: InputEvent) => (event.isComposing ? stop() : start()),
      onCompositionEnd: start,
    },
  }
}
