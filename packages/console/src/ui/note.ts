import { useEffect, useRef, useState } from 'preact/hooks'
import type { Live } from '../live.ts'
import { texts } from '../texts.ts'
import { notify } from './toast.tsx'

const { offline } = texts.common

/**
 * Says what went wrong: in a panel while that is shown, otherwise in a toast, with what it is about. Takes back that the service can't be
 * reached.
 */
export function useNote({ refresh, error }: Pick<Live<unknown>, 'refresh' | 'error'>, subject: string) {
  const [note, setNote] = useState<string>()
  const isDown = error.value !== undefined
  useEffect(() => {
    // If it still can't be reached, that is said where the read has failed.
    const isSaidThere = note === offline
    if (note?.endsWith(offline))
      void refresh().then(
        () => (isSaidThere || error.peek() === undefined) && setNote((now) => (now === note ? undefined : now)),
      )
  }, [note])
  useEffect(() => {
    if (!isDown) setNote((now) => (now?.endsWith(offline) ? undefined : now))
  }, [isDown])
  const latest = useRef(subject)
  latest.current = subject
  const isShown = useRef(true)
  useEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  const showNote = (text: string | undefined) => {
    if (isShown.current) setNote(text)
    else if (text !== undefined) notify(texts.common.about(latest.current, text), { isError: true })
  }
  return { note, showNote }
}
