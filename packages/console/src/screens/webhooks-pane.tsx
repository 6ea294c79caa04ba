import type { Webhook, WebhookAttempt, WebhookWithSecret } from '@petstore/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { explain, isUncertain, webhooks } from '../api.ts'
import { useLive } from '../live.ts'
import { withQuery } from '../router.ts'
import { can } from '../session.ts'
import { texts } from '../texts.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { Pane } from '../ui/pane.tsx'
import { Skeleton, Stale } from '../ui/screen.tsx'
import { Time } from '../ui/time.tsx'
import { notify } from '../ui/toast.tsx'
import { eventName } from './activity.tsx'
import { Replay } from './webhooks-replay.tsx'
import { WebhookState } from './webhooks-state.tsx'

const { webhooks: t, common } = texts

interface PaneProps {
  id: string
  /** Undefined if there is none (any more). */
  webhook: Webhook | undefined
  onChange: () => Promise<void>
  onSecret: (webhook: WebhookWithSecret) => void
}

export function WebhookPane({ id, webhook, onChange, onSecret }: PaneProps) {
  return (
    <Pane title={t.title} closePath={withQuery({ webhook: undefined })}>
      {webhook ? (
        <>
          <p class="summary">{webhook.url}</p>
          <Facts webhook={webhook} />
          <Actions webhook={webhook} onChange={onChange} onSecret={onSecret} />
          <Attempts webhook={webhook} />
        </>
      ) : (
        <p>{t.missing(id)}</p>
      )}
    </Pane>
  )
}

function Facts({ webhook }: { webhook: Webhook }) {
  const {
    types,
    behind,
    failingSince,
    attempts = 0,
    nextAttemptAt,
    createdAt,
    createdBy,
    changedBy,
    oldSecretEndsAt,
  } = webhook
  return (
    <dl class="facts">
      <Fact name={t.state}>
        <WebhookState of={webhook} />
        {webhook.state !== 'active' && (
          <p class="hint">{webhook.reason ? t.reasonHints[webhook.reason] : t.stateHints[webhook.state]}</p>
        )}
      </Fact>
      <Fact name={t.behind}>{t.events(behind)}</Fact>
      {failingSince !== undefined && (
        <Fact name={t.failing}>
          <Time at={failingSince} /> <span class="soft">({t.failed(attempts)})</span>
        </Fact>
      )}
      {nextAttemptAt !== undefined && (
        <Fact name={t.nextAttempt}>
          <Time at={nextAttemptAt} /> (<Time at={nextAttemptAt} relative />)
        </Fact>
      )}
      <Fact name={t.types}>{types === null ? t.allTypes : types.map(eventName).join(', ')}</Fact>
      <Fact name={t.created}>
        <Time at={createdAt} />
      </Fact>
      {createdBy !== undefined && (
        <Fact name={t.createdBy}>
          <span class="number">{createdBy}</span>
        </Fact>
      )}
      {changedBy !== undefined && (
        <Fact name={t.changedBy}>
          <span class="number">{changedBy}</span>
        </Fact>
      )}
      {oldSecretEndsAt !== undefined && (
        <Fact name={t.oldSecret}>
          <Time at={oldSecretEndsAt} />
        </Fact>
      )}
      <Fact name={t.id}>
        <span class="number">{webhook.id}</span>
      </Fact>
    </dl>
  )
}

type Overlay = 'delete' | 'rotate' | 'replay'

function Actions({ webhook, onChange, onSecret }: { webhook: Webhook } & Pick<PaneProps, 'onChange' | 'onSecret'>) {
  const [overlay, setOverlay] = useState<Overlay>()
  const close = () => setOverlay(undefined)
  const { id, state } = webhook
  const act = async (change: () => Promise<unknown>, done: string, maybeDone?: string) => {
    close()
    try {
      await change()
      notify(done)
    } catch (error) {
      const text = isUncertain(error) ? maybeDone : undefined
      notify(text ?? explain(error, { withRequestId: true }), { isError: true })
    }
    await onChange()
  }
  const rotate = async () => onSecret(await webhooks.rotate(id))
  // It delivers for the key that has changed it.
  const canChange = can('events:read')
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => void act(() => webhooks.ping(id), t.testSent)}>
          {t.sendTest}
        </button>
        {state === 'active' ? (
          <button
            type="button"
            disabled={!canChange}
            onClick={() => void act(() => webhooks.update(id, { state: 'paused' }), t.pausedNow)}
          >
            {t.pause}
          </button>
        ) : (
          <button
            type="button"
            disabled={!canChange}
            onClick={() => void act(() => webhooks.update(id, { state: 'active' }), t.resumedNow)}
          >
            {t.resume}
          </button>
        )}
        <button type="button" disabled={!canChange} onClick={() => setOverlay('replay')}>
          {t.replay}
        </button>
        <button type="button" disabled={!canChange} onClick={() => setOverlay('rotate')}>
          {t.rotate}
        </button>
        <button type="button" onClick={() => setOverlay('delete')}>
          {t.delete}
        </button>
      </div>
      {!canChange && (
        <p class="hint">
          {t.changes}: {common.noScope('events:read')}
        </p>
      )}
      {overlay === 'delete' && (
        <Confirm
          title={t.deleteTitle}
          text={t.deleteText(webhook.url)}
          action={t.delete}
          onConfirm={() => void act(() => webhooks.delete(id), t.deleted)}
          onClose={close}
        />
      )}
      {overlay === 'rotate' && (
        <Confirm
          title={t.rotateTitle}
          text={t.rotateText}
          action={t.rotate}
          onConfirm={() => void act(rotate, t.rotated, t.maybeRotated)}
          onClose={close}
        />
      )}
      {overlay === 'replay' && (
        <Replay
          webhook={webhook}
          onReplay={(cursor, n) => void act(() => webhooks.update(id, { cursor }), t.replaying(n))}
          onClose={close}
        />
      )}
    </>
  )
}

function Attempts({ webhook }: { webhook: Webhook }) {
  const live = useLive(
    (signal) => webhooks.attempts(webhook.id, { signal }),
    [webhook.id],
    () => false,
  )
  // The list, which is read every other second, says when there is another.
  const { at, eventId } = webhook.lastAttempt ?? {}
  const last = `${at} ${eventId}`
  const read = useRef(last)
  useEffect(() => {
    if (read.current !== last) void live.refresh()
    read.current = last
  }, [last])
  const shown = live.data.value
  return (
    <>
      <h3>{t.attempts}</h3>
      <Stale live={live} />
      {!shown && live.error.value === undefined && <Skeleton rows={3} />}
      {shown?.length === 0 && <p class="soft">{t.noAttempt}</p>}
      {shown && shown.length > 0 && (
        <table class="attempts">
          <thead>
            <tr>
              <th>{t.at}</th>
              <th>{t.result}</th>
              <th>{t.duration}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((attempt) => (
              <AttemptRow key={attempt.at + attempt.eventId} attempt={attempt} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function AttemptRow({ attempt: { at, eventId, status, error, durationMs } }: { attempt: WebhookAttempt }) {
  const result = status ?? t.noResponse
  return (
    <tr>
      <td>
        <Time at={at} />
        <p class="hint number">{eventId.startsWith('evt_ping_') ? t.test : eventId}</p>
      </td>
      <td>
        {error === undefined ? (
          t.accepted(String(result))
        ) : (
          <span class="fault">{t.rejected(String(result), error)}</span>
        )}
      </td>
      <td class="number">{t.ms(durationMs)}</td>
    </tr>
  )
}
