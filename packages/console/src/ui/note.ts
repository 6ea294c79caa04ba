import { useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { notify } from './toast.tsx'

/** Says what went wrong: in a panel while that is shown, otherwise in a toast. Takes back that the service can't be reached. */
export function useNote(refresh: () => Promise<void>) {
  const [note, setNote] = useState<string>()
  useEffect(() => {
    const { offline } = texts.common
    if (note === offline) void refresh().then(() => setNote((now) => (now === offline ? undefined : now)))
  }, [note])
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const showNote = (text: string | undefined) => {
    if (isShown.current) setNote(text)
    else if (text !== undefined) notify(text, { isError: true })
  }
  return { note, showNote }
}
