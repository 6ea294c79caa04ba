import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { leave } from '../router.ts'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'
import { useShortcuts } from './shortcuts.ts'

interface PaneProps {
  title: ComponentChildren
  /** What it is, if its title is a name. */
  label?: string
  /** Where closing it leads. */
  closePath: string
  children: ComponentChildren
}

/** One item of a list: beside the list, or in its place on a narrow screen. Give it a key, so that another item is another pane. */
export function Pane({ title, label, closePath, children }: PaneProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  const close = () => leave(closePath)
  useShortcuts({ Escape: close })
  useLayoutEffect(() => {
    const link = `main a[href="${CSS.escape(location.pathname + location.search)}"]`
    heading.current?.focus()
    // The row that led here gets the focus back, once it is shown again.
    return () =>
      queueMicrotask(() => {
        if (!document.querySelector('.pane')) document.querySelector<HTMLElement>(link)?.focus()
      })
  }, [])
  return (
    <aside class="pane" aria-label={label} aria-labelledby={label === undefined ? id : undefined}>
      <header>
        <h2 id={id} tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <button type="button" class="bare" aria-label={texts.common.close} onClick={close}>
          <Icon of="close" />
        </button>
      </header>
      {children}
    </aside>
  )
}
