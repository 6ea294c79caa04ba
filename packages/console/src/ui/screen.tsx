import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { explain, hasCode, passesAfterMs } from '../api.ts'
import { texts } from '../texts.ts'
import { Icon, type IconName } from './icon.tsx'
import { Limited } from './time.tsx'

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
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div class="skeleton" role="status" aria-busy="true" aria-label={texts.common.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <i key={row} />
      ))}
    </div>
  )
}

/** Nothing to show, why, and what to do about it. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  icon?: IconName
  title: string
  text?: ComponentChildren
  children?: ComponentChildren
}) {
  return (
    <div class="empty">
      {icon && <Icon of={icon} />}
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

interface Reading {
  data: { value: unknown }
  error: { value: unknown }
  refresh: () => Promise<void>
}

/**
 * Shown while a read has failed: the rows stay, and may be out of date. It is tried again by itself where that can help. `rows`: so many
 * grey bars until the first read has ended.
 */
export function Stale({ live: { data, error, refresh }, rows }: { live: Reading; rows?: number }) {
  const { value: failure } = error
  useEffect(() => {
    const ms = passesAfterMs(failure)
    if (ms === undefined) return
    const again = () => {
      if (!document.hidden) void refresh()
    }
    const timer = setInterval(again, ms)
    addEventListener('online', again)
    return () => {
      clearInterval(timer)
      removeEventListener('online', again)
    }
  }, [failure, refresh])
  const message = failure === undefined ? undefined : explain(failure)
  const isFirst = data.value === undefined
  return (
    <>
      <div class={message === undefined ? undefined : 'notice warn'} role="alert">
        {message !== undefined && (
          <>
            {hasCode(failure, 'rate_limited') ? (
              <Limited />
            ) : (
              <span>{isFirst ? message : texts.common.stale(message)}</span>
            )}
            <button type="button" onClick={() => void refresh()}>
              {texts.common.tryAgain}
            </button>
          </>
        )}
      </div>
      {isFirst && message === undefined && rows !== undefined && <Skeleton rows={rows} />}
    </>
  )
}
