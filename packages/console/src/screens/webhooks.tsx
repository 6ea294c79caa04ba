import type { Webhook, WebhookWithSecret } from '@petstore/client'
import { useState } from 'preact/hooks'
import { webhooks } from '../api.ts'
import { stateOf } from '../health.ts'
import { noEvent, useLive, usePolling } from '../live.ts'
import { texts } from '../manage-texts.ts'
import { go, href, place, withQuery } from '../router.ts'
import { can } from '../session.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty, Screen, Stale } from '../ui/screen.tsx'
import { Time } from '../ui/time.tsx'
import { AddWebhook } from './webhooks-add.tsx'
import { WebhookPane } from './webhooks-pane.tsx'
import { WebhookState } from './webhooks-state.tsx'

const { webhooks: t, common } = texts
const TITLE = texts.frame.section.webhooks
/** Deliveries are no events, so nothing reports them. */
const REFRESH_MS = 2_000

export function WebhooksScreen() {
  const { query } = place.value
  const id = query.get('webhook')
  const [created, setCreated] = useState<WebhookWithSecret>()
  const live = useLive((signal) => webhooks.list({ signal }), [], noEvent)
  usePolling(live, REFRESH_MS)
  const shown = live.data.value
  const show = (webhook: WebhookWithSecret) => {
    setCreated(webhook)
    void live.refresh()
    go(`/webhooks?webhook=${webhook.id}`, { replace: true })
  }
  const closeForm = () => go(withQuery({ new: undefined }))
  const addButton = (
    <button
      type="button"
      class="primary"
      disabled={!can('events:read')}
      title={can('events:read') ? undefined : common.noScope('events:read')}
      onClick={() => go(withQuery({ new: '1' }))}
    >
      <Icon of="plus" />
      {t.add}
    </button>
  )
  return (
    <div class="split">
      <div class="list">
        <Screen title={TITLE} actions={shown && shown.length > 0 && addButton}>
          <Stale live={live} rows={4} />
          {shown?.length === 0 && (
            <Empty title={t.none} text={t.noneHint}>
              {addButton}
            </Empty>
          )}
          {shown && shown.length > 0 && <WebhookTable rows={shown} current={id} />}
        </Screen>
      </div>
      {shown && id !== null && (
        <WebhookPane
          key={id}
          id={id}
          webhook={shown.find((webhook) => webhook.id === id)}
          onChange={live.refresh}
          onSecret={setCreated}
        />
      )}
      {query.has('new') && <AddWebhook onCreated={show} onClose={closeForm} />}
      {created && <Secret secret={created.secret} onClose={() => setCreated(undefined)} />}
    </div>
  )
}

function WebhookTable({ rows, current }: { rows: readonly Webhook[]; current: string | null }) {
  return (
    <table class="webhooks">
      <thead>
        <tr>
          <th class="url">{t.webhook}</th>
          <th>{t.state}</th>
          <th class="wide">{t.behind}</th>
          <th class="wide">{t.lastAttempt}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((webhook) => (
          <WebhookRow key={webhook.id} of={webhook} isCurrent={webhook.id === current} isOpen={current !== null} />
        ))}
      </tbody>
    </table>
  )
}

function WebhookRow({ of, isCurrent, isOpen }: { of: Webhook; isCurrent: boolean; isOpen: boolean }) {
  const { id, name, url, behind, lastAttempt } = of
  return (
    <tr aria-current={isCurrent ? 'true' : undefined}>
      <td class="url">
        {/* One entry of the history, whichever webhooks are opened one after the other. */}
        <a href={href(withQuery({ webhook: id }))} dir="auto" data-replace={isOpen ? '' : undefined}>
          {name ?? url}
        </a>
        {name !== undefined && <p class="hint">{url}</p>}
      </td>
      <td>
        <WebhookState of={of} />
        {stateOf(of) === 'failing' && lastAttempt?.error !== undefined && <p class="hint">{lastAttempt.error}</p>}
      </td>
      <td class="wide">{t.events(behind)}</td>
      <td class="wide">
        {lastAttempt ? (
          <>
            {lastAttempt.status ?? t.noResponse} · <Time at={lastAttempt.at} relative />
          </>
        ) : (
          <span class="soft">{t.noAttempt}</span>
        )}
      </td>
    </tr>
  )
}

/** Only its button closes it: the secret is not shown again. */
function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title={t.secretTitle}>
      <p>{t.secretText}</p>
      <p class="notice number secret">{secret}</p>
      <footer>
        <CopyButton label={common.copy} text={() => secret} />
        <button type="button" class="primary" onClick={onClose}>
          {t.stored}
        </button>
      </footer>
    </Dialog>
  )
}
