import type { ComponentChildren } from 'preact'
import { explain } from '../api.ts'
import type { Live } from '../live.ts'
import { texts } from '../texts.ts'

interface ScreenProps {
  title: string
  /** Beside the title: state and buttons. */
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A screen with its one h1, which gets the focus when the section changes. */
export function Screen({ title, actions, children }: ScreenProps) {
  return (
    <>
      <div class="head">
        <h1 tabIndex={-1}>{title}</h1>
        {actions}
      </div>
      {children}
    </>
  )
}

/** Grey bars where rows will be. */
export function Skeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-busy="true" aria-label={texts.common.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  )
}

/** Nothing to show, why, and what to do about it. */
export function Empty({ title, text, children }: { title: string; text?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

/** Shown while a read has failed: the rows stay, and may be out of date. */
export function Stale({ live }: { live: Pick<Live<unknown>, 'data' | 'error' | 'refresh'> }) {
  const error = live.error.value
  const message = error === undefined ? undefined : explain(error)
  return (
    <div class={message === undefined ? undefined : 'notice warn'} role="alert">
      {message !== undefined && (
        <>
          <span>{live.data.value === undefined ? message : texts.common.stale(message)}</span>
          <button type="button" onClick={() => void live.refresh()}>
            {texts.common.tryAgain}
          </button>
        </>
      )}
    </div>
  )
}
