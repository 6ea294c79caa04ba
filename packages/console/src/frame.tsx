import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { orders } from './api.ts'
import { formatRelative } from './format.ts'
import { Bottom, More, TopBar } from './frame-phone.tsx'
import { type Overlay, Side } from './frame-side.tsx'
import { useLive } from './live.ts'
import { openOrders } from './open-orders.ts'
import type { Section } from './sections.ts'
import { EXPIRY_NOTICE_MS } from './service-times.ts'
import { can, isSandbox, key } from './session.ts'
import { texts } from './texts.ts'
import { Contact } from './ui/contact.tsx'
import { useKeptFocus } from './ui/focus.ts'
import { Later } from './ui/later.tsx'
import { isNarrow } from './ui/narrow.ts'
import { Palette } from './ui/palette.tsx'
import { useShortcuts } from './ui/shortcuts.ts'
import { Toasts } from './ui/toast.tsx'

const { frame: t } = texts

/** What surrounds every screen: a column at the left; on a phone a bar at the top, and the sections at the bottom. */
export function Frame({ section, children }: { section: Section | undefined; children: ComponentChildren }) {
  const [overlay, setOverlay] = useState<Overlay>()
  const close = () => setOverlay(undefined)
  useShortcuts({ 'Mod+k': () => setOverlay('palette'), '?': () => setOverlay('help') })
  useFocusOnChange(section)
  useKeptFocus()
  useOpenOrders()
  return (
    <>
      <a class="skip" href="#main">
        {t.skip}
      </a>
      {isNarrow.value ? (
        <TopBar onSearch={() => setOverlay('palette')} />
      ) : (
        <Side current={section} openOrders={openOrders.value} onOpen={setOverlay} />
      )}
      <main id="main" tabIndex={-1}>
        <ExpiryBanner />
        {children}
      </main>
      {isNarrow.value && <Bottom current={section} openOrders={openOrders.value} onMore={() => setOverlay('more')} />}
      <Toasts />
      {overlay === 'palette' && <Palette onClose={close} />}
      {overlay === 'help' && <Later onClose={close} show={({ Help }) => <Help onClose={close} />} />}
      {overlay === 'more' && <More current={section} onClose={close} onHelp={() => setOverlay('help')} />}
    </>
  )
}

/**
 * The title when another section is shown, and the focus on its heading, or on that of the item that is open in it; the first section leaves
 * the focus where the browser has it.
 */
function useFocusOnChange(section: Section | undefined) {
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    const store = isSandbox.value ? `${t.sandbox} — ` : ''
    document.title = `${section ? t.section[section] : t.notFound} — ${store}${texts.common.console}`
  }, [section, isSandbox.value])
  useLayoutEffect(() => {
    if (!isFirst.current) document.querySelector<HTMLElement>('main aside h2, main:not(:has(aside)) h1')?.focus()
    isFirst.current = false
    scrollTo(0, 0)
  }, [section])
}

function useOpenOrders() {
  const mayRead = can('orders:read')
  useLive(
    async (signal) => {
      openOrders.value = mayRead ? (await orders.count({ status: 'placed', signal })).count : undefined
    },
    [mayRead],
    ({ type }) => type.startsWith('order.'),
  )
}

function ExpiryBanner() {
  const expiresAt = key.value?.expiresAt
  if (!expiresAt || Date.parse(expiresAt) - Date.now() > EXPIRY_NOTICE_MS) return null
  return (
    <p class="notice warn">
      <span>
        {t.expires(formatRelative(expiresAt))} <Contact />.
      </span>
    </p>
  )
}
