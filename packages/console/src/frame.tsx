import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatRelative } from './format.ts'
import { href } from './router.ts'
import { pathOf, SECTIONS, type Section } from './sections.ts'
import { EXPIRY_NOTICE_MS } from './service-times.ts'
import { key, signOut } from './session.ts'
import { texts } from './texts.ts'
import { useKeptFocus } from './ui/focus.ts'
import { Help } from './ui/help.tsx'
import { Icon } from './ui/icon.tsx'
import { Palette } from './ui/palette.tsx'
import { useShortcuts } from './ui/shortcuts.ts'
import { nextTheme, theme } from './ui/theme.ts'
import { Toasts } from './ui/toast.tsx'

const { frame: t } = texts

/** What surrounds every screen. */
export function Frame({ section, children }: { section: Section | undefined; children: ComponentChildren }) {
  const [overlay, setOverlay] = useState<'palette' | 'help'>()
  const close = () => setOverlay(undefined)
  useShortcuts({ 'Mod+k': () => setOverlay('palette'), '?': () => setOverlay('help') })
  useFocusOnChange(section)
  useKeptFocus()
  return (
    <>
      <a class="skip" href="#main">
        {t.skip}
      </a>
      <Top onSearch={() => setOverlay('palette')} onHelp={() => setOverlay('help')} />
      <Sections current={section} />
      <main id="main" tabIndex={-1}>
        <ExpiryBanner />
        {children}
      </main>
      <Toasts />
      {overlay === 'palette' && <Palette onClose={close} />}
      {overlay === 'help' && <Help onClose={close} />}
    </>
  )
}

/** The title, and the focus on its heading, when another section is shown; the first one leaves the focus where the browser has it. */
function useFocusOnChange(section: Section | undefined) {
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    document.title = `${section ? t.section[section] : t.notFound} — ${texts.common.console}`
    if (!isFirst.current) document.querySelector<HTMLElement>('main h1')?.focus()
    isFirst.current = false
    scrollTo(0, 0)
  }, [section])
}

function Top({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }) {
  const themeLabel = t.theme(t.themes[theme.value])
  return (
    <header class="top">
      <a class="brand" href={href('/')}>
        {texts.common.product}
      </a>
      {key.value?.mode === 'test' && (
        <span class="badge" title={t.testKeyHint}>
          {t.testKey}
        </span>
      )}
      <button type="button" class="search" aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
        <Icon of="search" />
        <span>{texts.palette.title}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <button type="button" class="bare" aria-label={themeLabel} title={themeLabel} onClick={nextTheme}>
        <Icon of={theme.value} />
      </button>
      <button
        type="button"
        class="bare"
        aria-label={texts.shortcuts.title}
        title={texts.shortcuts.title}
        onClick={onHelp}
      >
        <Icon of="help" />
      </button>
      <a class="who" href={href('/key')} title={t.section.key}>
        {key.value?.name}
      </a>
      <button type="button" onClick={() => void signOut()}>
        {t.signOut}
      </button>
    </header>
  )
}

function Sections({ current }: { current: Section | undefined }) {
  const nav = useRef<HTMLElement>(null)
  // In the row at the top of a narrow screen it may be out of view.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav class="sections" aria-label={t.sections} ref={nav}>
      {SECTIONS.map((section) => (
        <a key={section} href={href(pathOf(section))} aria-current={section === current ? 'page' : undefined}>
          <Icon of={section} />
          {t.section[section]}
        </a>
      ))}
      <a href="/docs" target="_blank" rel="noopener">
        <Icon of="arrow" />
        {t.docs}
      </a>
    </nav>
  )
}

function ExpiryBanner() {
  const expiresAt = key.value?.expiresAt
  if (!expiresAt || Date.parse(expiresAt) - Date.now() > EXPIRY_NOTICE_MS) return null
  return <p class="notice warn">{t.expires(formatRelative(expiresAt))}</p>
}

// A link of a row that scrolls may stick out by a few pixels, which browsers take for seen.
addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && target.closest('nav')) target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
})
