import type { Status } from '@petstore/client'
import type { ComponentChildren } from 'preact'
import { serviceStatus } from '../api.ts'
import { LATE_MS } from '../health.ts'
import { texts } from '../later-texts.ts'
import { useLive, usePolling } from '../live.ts'
import { href } from '../router.ts'
import { missingScope, pathOf, type Section } from '../sections.ts'
import { Contact } from '../ui/contact.tsx'
import { Fact } from '../ui/fact.tsx'
import { Icon } from '../ui/icon.tsx'
import { Screen, Stale } from '../ui/screen.tsx'
import { Time } from '../ui/time.tsx'

const { status: t } = texts
/** No event reports a change of these. */
const REFRESH_MS = 10_000

/** How the service is doing, and what to do where it is not well. */
export function StatusScreen() {
  const live = useLive(
    (signal) => serviceStatus({ signal }),
    [],
    () => false,
  )
  usePolling(live, REFRESH_MS)
  const shown = live.data.value
  return (
    <Screen title={texts.frame.section.status}>
      <Stale live={live} rows={6} />
      {shown && <Health of={shown} />}
    </Screen>
  )
}

interface Line {
  name: string
  isWell: boolean
  /** What it is like, and what to do. */
  words: ComponentChildren
}

function Health({ of }: { of: Status }) {
  const lines = linesOf(of)
  const faults = lines.filter(({ isWell }) => !isWell).length
  return (
    <>
      <p class={faults === 0 ? 'notice well' : 'notice warn'} role="status">
        <Icon of={faults === 0 ? 'check' : 'warn'} isSmall />
        {faults === 0 ? t.allWell : t.needs(faults)}
      </p>
      <dl class="facts health-facts">
        {lines.map(({ name, isWell, words }) => (
          <Fact key={name} name={name}>
            <span class={isWell ? 'works' : 'works bad'}>
              <Icon of={isWell ? 'check' : 'warn'} isSmall />
            </span>
            {words}
          </Fact>
        ))}
        <Fact name={t.version}>
          {of.version} <span class="id">{of.commit.slice(0, 8)}</span>
        </Fact>
        <Fact name={t.startedAt}>
          <Time at={of.startedAt} />
        </Fact>
      </dl>
    </>
  )
}

function linesOf({ database: { state, detail }, feed: { lagMs }, search, webhooks, expiringKeys }: Status): Line[] {
  const unknown = { isWell: false, words: t.unknown }
  return [
    {
      name: t.database,
      isWell: state === 'ok',
      words: (
        <>
          {t.states[state]} {detail} {state !== 'ok' && <Ask text={t.tell} />}
        </>
      ),
    },
    { name: t.feed, isWell: lagMs < LATE_MS, words: lagMs < LATE_MS ? t.upToDate : <Ask text={t.late(lagMs)} /> },
    {
      name: t.search,
      ...(search
        ? { isWell: search.isComplete, words: search.isComplete ? t.complete : t.percent(search.foundPercent) }
        : unknown),
    },
    { name: t.webhooks, ...(webhooks ? webhooksOf(webhooks) : unknown) },
    {
      name: t.keys,
      ...(expiringKeys === undefined
        ? unknown
        : { isWell: expiringKeys === 0, words: expiringKeys === 0 ? t.noneExpire : <Expiring count={expiringKeys} /> }),
    },
  ]
}

function webhooksOf({ active, paused, disabled, undelivered, behind }: NonNullable<Status['webhooks']>) {
  const isWell = disabled + undelivered === 0
  const words = (
    <>
      {t.webhookStates(active, paused, disabled)} {behind > 0 && t.behind(behind)}{' '}
      {undelivered > 0 && <Ask text={t.undelivered(undelivered)} />}{' '}
      {(!isWell || behind > 0) && <To section="webhooks" text={t.seeWebhooks} />}
    </>
  )
  return { isWell, words }
}

const Expiring = ({ count }: { count: number }) => (
  <>
    <Ask text={t.expire(count)} /> <To section="people" text={t.seeKeys} />
  </>
)

const Ask = ({ text }: { text: string }) => (
  <>
    {text} <Contact />.
  </>
)

/** To a section, if the key may open it. */
const To = ({ section, text }: { section: Section; text: string }) =>
  missingScope(section) === undefined ? <a href={href(pathOf(section))}>{text}</a> : null
