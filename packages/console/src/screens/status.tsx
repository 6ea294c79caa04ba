import type { Status, Webhook } from '@petstore/client'
import type { ComponentChildren } from 'preact'
import { isStuck, LATE_MS, pathOfStuck, stateOf } from '../health.ts'
import { noEvent, useLive, usePolling } from '../live.ts'
import { texts } from '../manage-texts.ts'
import { readHealth, seesAll } from '../read-health.ts'
import { href } from '../router.ts'
import { missingScope, pathOf } from '../sections.ts'
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
  const live = useLive(readHealth, [], noEvent)
  usePolling(live, REFRESH_MS)
  const { status, hooks } = live.data.value ?? {}
  return (
    <Screen title={texts.frame.section.status}>
      <Stale live={live} rows={6} />
      {status && <Health of={status} hooks={hooks} />}
    </Screen>
  )
}

interface Line {
  name: string
  isWell: boolean
  /** What it is like, and what to do. */
  words: ComponentChildren
}

type Hooks = readonly Webhook[] | undefined

function Health({ of, hooks }: { of: Status; hooks: Hooks }) {
  const lines = linesOf(of, hooks)
  const faults = lines.filter(({ isWell }) => !isWell).length
  return (
    <>
      <p class={faults === 0 ? 'notice well' : 'notice warn'} role="status">
        <Icon of={faults === 0 ? 'check' : 'warn'} isSmall />
        {faults > 0 ? t.needs(faults) : seesAll() ? texts.home.fine : texts.home.fineInPart}
      </p>
      <dl class="facts health-facts">
        {lines.map(({ name, isWell, words }) => (
          <Fact key={name} name={name}>
            <span class={isWell ? 'works' : 'works bad'}>
              <Icon of={isWell ? 'check' : 'warn'} isSmall />
            </span>
            <span>{words}</span>
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

function linesOf(status: Status, hooks: Hooks): Line[] {
  const { database, feed, search, webhooks, expiringKeys } = status
  const { state, detail } = database
  const { lagMs } = feed
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
    { name: t.webhooks, ...(webhooks ? webhooksOf(webhooks, hooks) : unknown) },
    {
      name: t.keys,
      ...(expiringKeys === undefined
        ? unknown
        : { isWell: expiringKeys === 0, words: expiringKeys === 0 ? t.noneExpire : <Expiring count={expiringKeys} /> }),
    },
  ]
}

function webhooksOf({ active, paused, disabled, undelivered, behind }: NonNullable<Status['webhooks']>, hooks: Hooks) {
  const stuck = hooks?.filter(isStuck) ?? []
  const failing = stuck.filter((webhook) => stateOf(webhook) === 'failing').length
  const keyless = stuck.filter(({ reason }) => reason !== undefined).length
  const isWell = stuck.length + disabled + undelivered === 0
  const states = [
    active > 0 && t.active(active),
    paused > 0 && t.paused(paused),
    disabled > 0 && t.disabled(disabled),
  ].filter((part) => part !== false)
  const words = (
    <>
      {states.length === 0 ? t.none : `${states.join(', ')}.`} {failing > 0 && t.failing(failing)}{' '}
      {keyless > 0 && t.keyless(keyless)} {behind > 0 && t.behind(behind)}{' '}
      {undelivered > 0 && <Ask text={t.undelivered(undelivered)} />} {hooks === undefined && active > 0 && t.notSeen}
      {hooks && (!isWell || behind > 0) && <a href={href(pathOfStuck(stuck))}>{t.seeWebhooks}</a>}
    </>
  )
  return { isWell, words }
}

const Expiring = ({ count }: { count: number }) => (
  <>
    <Ask text={t.expire(count)} />{' '}
    {missingScope('people') === undefined && <a href={href(pathOf('people'))}>{t.seeKeys}</a>}
  </>
)

const Ask = ({ text }: { text: string }) => (
  <>
    {text} <Contact />.
  </>
)
