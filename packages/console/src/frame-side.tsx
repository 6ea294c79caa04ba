import { formatCount } from './format.ts'
import { href } from './router.ts'
import { openSections, pathOf, type Section } from './sections.ts'
import { isSandbox, key, signOut } from './session.ts'
import { texts } from './texts.ts'
import { Icon } from './ui/icon.tsx'
import { Who } from './ui/initials.tsx'
import { Menu } from './ui/menu.tsx'
import { nextTheme, theme } from './ui/theme.ts'

const { frame: t } = texts

/** What is over the screen. */
export type Overlay = 'palette' | 'help' | 'more'

export interface SectionsProps {
  current: Section | undefined
  openOrders: number | undefined
}

/** The column at the left. Its parts do not depend on each other's width. */
export function Side({ onOpen, ...sections }: SectionsProps & { onOpen: (overlay: Overlay) => void }) {
  return (
    <header class="side">
      <Brand />
      <button type="button" class="search" aria-keyshortcuts="Control+K Meta+K" onClick={() => onOpen('palette')}>
        <Icon of="search" isSmall />
        <span>{texts.palette.title}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <nav class="sections" aria-label={t.sections}>
        {openSections()
          // It is in the menu of the person.
          .filter((section) => section !== 'key')
          .map((section) => (
            <SectionLink key={section} section={section} {...sections} />
          ))}
        <DocsLink />
      </nav>
      <Menu
        label={t.me(key.value?.name ?? '')}
        class="me"
        items={[
          { label: t.section.key, icon: 'key', path: pathOf('key') },
          { label: t.theme(t.themes[theme.value]), icon: theme.value, run: nextTheme, isRepeatable: true },
          { label: t.shortcuts, icon: 'help', run: () => onOpen('help') },
          'line',
          { label: t.signOut, icon: 'arrow', run: () => void signOut() },
        ]}
      >
        <Who keyId={key.value?.id} isShort />
        <bdi class="one-line">{key.value?.name}</bdi>
        <Icon of="dots" isSmall />
      </Menu>
    </header>
  )
}

export function Brand() {
  return (
    <a class="brand" href={href('/')}>
      <Icon of="pets" />
      {texts.common.product}
      {isSandbox.value ? (
        <span class="badge" title={t.sandboxHint}>
          {t.sandbox}
        </span>
      ) : (
        key.value?.mode === 'test' && (
          <span class="badge" title={t.testKeyHint}>
            {t.testKey}
          </span>
        )
      )}
    </a>
  )
}

interface SectionLinkProps extends SectionsProps {
  section: Section
  onClick?: () => void
}

export function SectionLink({ section, current, openOrders, onClick }: SectionLinkProps) {
  return (
    <a href={href(pathOf(section))} aria-current={section === current ? 'page' : undefined} onClick={onClick}>
      <Icon of={section} />
      {t.section[section]}
      {section === 'orders' && openOrders !== undefined && openOrders > 0 && (
        <span class="count">
          {formatCount(openOrders)}
          <span class="hidden"> {t.openOrders}</span>
        </span>
      )}
    </a>
  )
}

export function DocsLink() {
  return (
    <a href="/docs" target="_blank" rel="noopener">
      <Icon of="arrow" />
      {t.docs}
    </a>
  )
}
