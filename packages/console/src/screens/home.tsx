import type { ComponentChildren } from 'preact'
import { events, orders, webhooks } from '../api.ts'
import { formatWeekday } from '../format.ts'
import { useLive, usePolling } from '../live.ts'
import { href } from '../router.ts'
import { can, key } from '../session.ts'
import { texts } from '../texts.ts'
import { Who } from '../ui/initials.tsx'
import { Screen, Skeleton, Stale } from '../ui/screen.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { PET_STATUSES, Status } from '../ui/status.tsx'
import { Time, TimeLeft } from '../ui/time.tsx'
import { ORDER_STATUSES } from './orders-view.ts'
import { stateOf } from './webhooks-state.tsx'

const { home: t, common } = texts
/** More are not counted. */
const MAX_COUNTED = 50
const SOONEST = 5
const LAST = 6
/** Deliveries are no events, so nothing reports them. */
const WEBHOOKS_MS = 10_000

export function HomeScreen() {
  return (
    <Screen
      title={texts.frame.section.home}
      actions={
        <time class="soft" dateTime={new Date().toISOString().slice(0, 10)}>
          {formatWeekday(new Date())}
        </time>
      }
    >
      <div class="cards">
        <Card title={t.openOrders}>{can('orders:read') ? <OpenOrders /> : <NoScope scope="orders:read" />}</Card>
        {can('events:read') && (
          <Card title={t.changes}>
            <LastChanges />
          </Card>
        )}
        <Card title={t.webhooks}>
          {can('webhooks:manage') ? <FailingWebhooks /> : <NoScope scope="webhooks:manage" />}
        </Card>
        <Card title={t.key}>
          <KeyExpiry />
        </Card>
        <Card title={t.lists}>
          <Lists />
        </Card>
      </div>
    </Screen>
  )
}

function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

const NoScope = ({ scope }: { scope: string }) => <p class="soft">{common.noScope(scope)}</p>

function OpenOrders() {
  const live = useLive(
    (signal) => orders.list({ status: 'placed', limit: MAX_COUNTED, signal }).page(),
    [],
    ({ type }) => type.startsWith('order.'),
  )
  const page = live.data.value
  // The API says whether there are more than this page, but neither how many nor which end first: only reading them all would tell.
  const isWhole = page?.next === undefined
  const soonest = page?.orders.toSorted((a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt)).slice(0, SOONEST)
  return (
    <>
      <Stale live={live} />
      {!page && live.error.value === undefined && <Skeleton rows={2} />}
      {page && (
        <p class="big">
          <a href={href('/orders?status=placed')}>{t.open(page.orders.length, !isWhole)}</a>
        </p>
      )}
      {isWhole && soonest && soonest.length > 0 && (
        <ul>
          {soonest.map((order) => (
            <li key={order.id}>
              <a class="number" href={href(`/orders?order=${order.id}`)}>
                {order.reference ?? order.id}
              </a>
              <TimeLeft until={order.expiresAt} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function LastChanges() {
  const live = useLive((signal) => events.newest({ limit: LAST, signal }).page(), [])
  const page = live.data.value
  return (
    <>
      <Stale live={live} />
      {!page && live.error.value === undefined && <Skeleton rows={LAST} />}
      <ul class="changes">
        {page?.events.map((event) => (
          <li key={event.id}>
            <Who keyId={event.data.keyId} isShort />
            <Sentence event={event} />
            <span class="id">
              <Time at={event.time} isShort />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function FailingWebhooks() {
  const live = useLive(
    (signal) => webhooks.list({ signal }),
    [],
    () => false,
  )
  usePolling(live, WEBHOOKS_MS)
  const failing = live.data.value?.filter((webhook) => ['failing', 'disabled'].includes(stateOf(webhook)))
  return (
    <>
      <Stale live={live} />
      {!failing && live.error.value === undefined && <Skeleton rows={2} />}
      {failing && (
        <p class={failing.length > 0 ? 'big bad' : 'big'}>
          <a href={href('/webhooks')}>{failing.length > 0 ? t.failing(failing.length) : t.noneFailing}</a>
        </p>
      )}
      {failing && failing.length > 0 && (
        <ul>
          {failing.map(({ id, url }) => (
            <li key={id}>
              <a href={href(`/webhooks?webhook=${id}`)}>{url}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function KeyExpiry() {
  const expiresAt = key.value?.expiresAt
  return (
    <>
      <p class="big">
        <a href={href('/key')}>{key.value?.name}</a>
      </p>
      <p class="soft">
        {expiresAt ? (
          <>
            {t.expires} <Time at={expiresAt} relative />
          </>
        ) : (
          t.neverExpires
        )}
      </p>
    </>
  )
}

function Lists() {
  return (
    <ul>
      {can('pets:read') &&
        PET_STATUSES.map((status) => (
          <li key={status}>
            <a href={href(`/pets?status=${status}`)}>
              {texts.frame.section.pets}: <Status of={status} />
            </a>
          </li>
        ))}
      {can('orders:read') &&
        ORDER_STATUSES.map((status) => (
          <li key={status}>
            <a href={href(`/orders?status=${status}`)}>
              {texts.frame.section.orders}: <Status of={status} />
            </a>
          </li>
        ))}
      {can('events:read') && (
        <li>
          <a href={href('/activity')}>{texts.frame.section.activity}</a>
        </li>
      )}
    </ul>
  )
}
