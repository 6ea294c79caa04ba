import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { type LaterParts, later, laterError, loadLater } from '../later-load.ts'
import { texts } from '../texts.ts'
import { notify } from './toast.tsx'

interface LaterProps {
  show: (parts: LaterParts) => ComponentChildren
  onClose: () => void
}

/** What the later script has: nothing until that is loaded, and closed again with a message if it can't be. */
export function Later({ show, onClose }: LaterProps) {
  const loadOrClose = async () => {
    await loadLater()
    if (laterError.peek() === undefined) return
    notify(texts.frame.notLoaded, { isError: true })
    onClose()
  }
  useEffect(() => {
    void loadOrClose()
  }, [])
  return later.value ? show(later.value) : null
}
