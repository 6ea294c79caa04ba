import { Brand, DocsLink, SectionLink, type SectionsProps } from './frame-side.tsx'
import { href } from './router.ts'
import { openSections, pathOf, type Section } from './sections.ts'
import { key, signOut } from './session.ts'
import { texts } from './texts.ts'
import { Dialog } from './ui/dialog.tsx'
import { Icon } from './ui/icon.tsx'
import { Who } from './ui/initials.tsx'
import { nextTheme, theme } from './ui/theme.ts'

const { frame: t } = texts
/** Of five places at the bottom, the last one has the other sections. */
const AT_BOTTOM = 4

const inBar = () => openSections().slice(0, AT_BOTTOM)

export function TopBar({ onSearch }: { onSearch: () => void }) {
  return (
    <header class="topbar">
      <Brand />
      <button type="button" class="bare" aria-label={texts.palette.title} onClick={onSearch}>
        <Icon of="search" />
      </button>
      <a class="me" href={href(pathOf('key'))} title={t.me(key.value?.name ?? '')}>
        <Who keyId={key.value?.id} isShort />
        <bdi class="one-line">{key.value?.name}</bdi>
      </a>
    </header>
  )
}

export function Bottom({ onMore, ...sections }: SectionsProps & { onMore: () => void }) {
  const shown = inBar()
  const isMore = sections.current !== undefined && !shown.includes(sections.current)
  return (
    <nav class="bottom" aria-label={t.sections}>
      {shown.map((section) => (
        <SectionLink key={section} section={section} {...sections} />
      ))}
      <button type="button" aria-haspopup="dialog" aria-current={isMore ? 'page' : undefined} onClick={onMore}>
        <Icon of="more" />
        {texts.common.more}
      </button>
    </nav>
  )
}

interface MoreProps {
  current: Section | undefined
  onClose: () => void
  onHelp: () => void
}

/** A sheet with the other sections, and what is in the menu of the person on a wide screen. */
export function More({ current, onClose, onHelp }: MoreProps) {
  const shown = inBar()
  return (
    <Dialog title={t.me(key.value?.name ?? '')} onClose={onClose}>
      <nav class="more" aria-label={texts.common.more}>
        {openSections()
          .filter((section) => !shown.includes(section))
          .map((section) => (
            <SectionLink key={section} section={section} current={current} openOrders={undefined} onClick={onClose} />
          ))}
        <DocsLink />
      </nav>
      <footer>
        <button type="button" onClick={nextTheme}>
          <Icon of={theme.value} isSmall />
          {t.theme(t.themes[theme.value])}
        </button>
        <button type="button" onClick={onHelp}>
          {t.shortcuts}
        </button>
        <button type="button" onClick={() => void signOut()}>
          {t.signOut}
        </button>
      </footer>
    </Dialog>
  )
}
