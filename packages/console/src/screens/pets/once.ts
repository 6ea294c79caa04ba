import { useRef, useState } from 'preact/hooks'

/** What is pressed twice is done once: until it has ended, another run is ignored. */
export function useOnce(begin: () => void) {
  const [isBusy, setBusy] = useState(false)
  // Of a second press, the rendering comes too late.
  const busy = useRef(false)
  const once = async (run: () => Promise<void>) => {
    if (busy.current) return
    busy.current = true
    setBusy(true)
    begin()
    try {
      await run()
    } finally {
      busy.current = false
      setBusy(false)
    }
  }
  return { isBusy, busy, once }
}
