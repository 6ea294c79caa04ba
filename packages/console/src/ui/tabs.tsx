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
  return (
    <nav class="tabs" aria-label={label}>
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
