import { useEffect, useState } from 'preact/hooks'
import { dayText, startOfDay } from '../days.ts'

/** Timers fire a little early. */
const SPARE_MS = 100

/** Today, as text; renders the component again at midnight. */
export function useToday() {
  const [today, setToday] = useState(() => dayText(new Date()))
  useEffect(() => {
    const now = new Date()
    const ms = startOfDay(now, 1).getTime() - now.getTime() + SPARE_MS
    const timer = setTimeout(() => setToday(dayText(new Date())), ms)
    return () => clearTimeout(timer)
  }, [today])
  return today
}
