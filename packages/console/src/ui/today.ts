import { useEffect, useState } from 'preact/hooks'
import { dayText } from '../days.ts'

/** A timer until midnight would be late by as long as the computer sleeps. */
const CHECK_MS = 10_000

/** Today, as text; renders the component again when another day has begun, or when its tab is shown after that. */
export function useToday() {
  const [today, setToday] = useState(() => dayText(new Date()))
  useEffect(() => {
    const check = () => {
      if (!document.hidden) setToday(dayText(new Date()))
    }
    const timer = setInterval(check, CHECK_MS)
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', check)
    }
  }, [])
  return today
}
