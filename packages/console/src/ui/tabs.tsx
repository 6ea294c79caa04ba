import { useLayoutEffect, useRef } from 'preact/hooks'
import { formatCount } from '../format.ts'
import { href } from '../router.ts'

interface Tab {
  label: string
  /** 1,000 stands for that many or more. */
  count?: number | undefined
  path: string
  isCurrent: boolean
}

/** Views of a list, as links: each has its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const box = useRef<HTMLElement>(null)
  const current = tabs.findIndex(({ isCurrent }) => isCurrent)
  // On a phone there may not be room for all. Not `scrollIntoView`, which would move the page too.
  useLayoutEffect(() => {
    const [all, tab] = [box.current, box.current?.children[current]]
    if (all && tab) all.scrollLeft += Math.max(0, tab.getBoundingClientRect().right - all.getBoundingClientRect().right)
  }, [current])
  return (
    <nav class="tabs" aria-label={label} ref={box}>
      {tabs.map((tab) => (
        <a key={tab.path} href={href(tab.path)} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
          {/* Before it is known, it has its place: tabs do not move. */}
          {'count' in tab && <span class="count">{tab.count !== undefined && formatCount(tab.count)}</span>}
        </a>
      ))}
    </nav>
  )
}
