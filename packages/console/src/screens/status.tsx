import type { Status } from '@petstore/client'
import { serviceStatus } from '../api.ts'
import { formatCount, formatMs } from '../format.ts'
import { LATE_MS } from '../health.ts'
import { useLive, usePolling } from '../live.ts'
import { texts } from '../texts.ts'
import { Fact } from '../ui/fact.tsx'
import { Screen, Skeleton, Stale } from '../ui/screen.tsx'
import { Time } from '../ui/time.tsx'

const { status: t } = texts
/** No event reports a change of these. */
const REFRESH_MS = 10_000

/** How the service is doing. */
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
      <Stale live={live} />
      {shown ? <Facts of={shown} /> : live.error.value === undefined && <Skeleton rows={6} />}
    </Screen>
  )
}

function Facts({ of: { version, startedAt, database, feed, search, webhooks, expiringKeys } }: { of: Status }) {
  return (
    <dl class="facts health-facts">
      <Fact name={t.database}>
        {t.states[database.state]}
        {database.detail !== undefined && <p class="hint">{database.detail}</p>}
      </Fact>
      <Fact name={t.feed}>{feed.lagMs < LATE_MS ? t.upToDate : formatMs(feed.lagMs)}</Fact>
      <Fact name={t.search}>{search ? t.percent(search.foundPercent) : t.unknown}</Fact>
      <Fact name={t.webhooks}>
        {webhooks ? t.webhookStates(webhooks.active, webhooks.paused, webhooks.disabled) : t.unknown}
      </Fact>
      <Fact name={t.keys}>{expiringKeys === undefined ? t.unknown : formatCount(expiringKeys)}</Fact>
      <Fact name={t.version}>{version}</Fact>
      <Fact name={t.startedAt}>
        <Time at={startedAt} />
      </Fact>
    </dl>
  )
}
