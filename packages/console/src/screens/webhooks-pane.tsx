import type { Webhook, WebhookAttempt, WebhookWithSecret } from '@petstore/client'
import { useState } from 'preact/hooks'
import { explain, isUncertain, webhooks } from '../api.ts'
import { stateOf } from '../health.ts'
import { texts } from '../manage-texts.ts'
import { isYou } from '../people.ts'
import { withQuery } from '../router.ts'
import { can } from '../session.ts'
import { NoScope } from '../ui/contact.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { Who } from '../ui/initials.tsx'
import { Menu } from '../ui/menu.tsx'
import { Pane } from '../ui/pane.tsx'
import { Time } from '../ui/time.tsx'
import { notify } from '../ui/toast.tsx'
import { eventName } from './events-list.ts'
import { Attempts, ResponseBody, useAttempts } from './webhooks-attempts.tsx'
import { Rename } from './webhooks-rename.tsx'
import { Replay } from './webhooks-replay.tsx'
import { WebhookState } from './webhooks-state.tsx'

const { webhooks: t } = texts

interface PaneProps {
  id: string
  /** Undefined if there is none. */
  webhook: Webhook | undefined
  onChange: () => Promise<void>
  onSecret: (webhook: WebhookWithSecret) => void
}

export function WebhookPane({ id, webhook, onChange, onSecret }: PaneProps) {
  return (
    <Pane title={<bdi>{webhook?.name ?? t.title}</bdi>} closePath={withQuery({ webhook: undefined })}>
      {webhook ? <Shown webhook={webhook} onChange={onChange} onSecret={onSecret} /> : <p>{t.missing(id)}</p>}
    </Pane>
  )
}

function Shown({ webhook, ...actions }: { webhook: Webhook } & Pick<PaneProps, 'onChange' | 'onSecret'>) {
  const live = useAttempts(webhook)
  // Others may succeed meanwhile: a test, or events of other pets.
  const failed = [webhook.lastAttempt, ...(live.data.value ?? [])].find((attempt) => attempt?.error !== undefined)
  return (
    <>
      <p class="summary">{webhook.url}</p>
      {['failing', 'disabled'].includes(stateOf(webhook)) && <Cause of={webhook} failed={failed} />}
      <Actions webhook={webhook} {...actions} />
      <Facts webhook={webhook} />
      <Attempts live={live} />
    </>
  )
}

/** Why it fails or was stopped, as the service and the receiver say it. */
function Cause({ of: webhook, failed }: { of: Webhook; failed: WebhookAttempt | undefined }) {
  const isFailing = stateOf(webhook) === 'failing'
  if (!failed && !isFailing) return null
  return (
    <div class="notice warn cause">
      {failed && <b>{failed.error}</b>}
      {failed?.responseBody !== undefined && <ResponseBody text={failed.responseBody} />}
      {isFailing && <span>{t.nothingLost(webhook.behind)}</span>}
    </div>
  )
}

/** When something was done, and by whom. */
function By({ at, keyId }: { at?: string; keyId: string | undefined }) {
  return (
    <>
      {at !== undefined && <Time at={at} />} {keyId !== undefined && <Who keyId={keyId} />}
    </>
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
      <Fact name={t.types}>{types?.map(eventName).join(', ') ?? t.allTypes}</Fact>
      <Fact name={t.created}>
        <By at={createdAt} keyId={createdBy} />
      </Fact>
      {changedBy !== undefined && (
        <Fact name={t.changedBy}>
          <By keyId={changedBy} />
          {!isYou(changedBy) && <p class="hint">{t.takesOver}</p>}
        </Fact>
      )}
      {oldSecretEndsAt !== undefined && (
        <Fact name={t.oldSecret}>
          <Time at={oldSecretEndsAt} />
        </Fact>
      )}
      <Fact name={t.id}>
        <span class="id">{webhook.id}</span>
      </Fact>
    </dl>
  )
}

type Overlay = 'rename' | 'delete' | 'rotate' | 'replay'

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
  const isFailing = stateOf(webhook) === 'failing'
  const retry = () => void act(() => webhooks.retry(id), t.tryingNow)
  const change = (to: 'active' | 'paused') => () =>
    void act(() => webhooks.update(id, { state: to }), to === 'active' ? t.resumedNow : t.pausedNow)
  const more: Parameters<typeof Menu>[0]['items'] = [
    { label: t.sendTest, run: () => void act(() => webhooks.ping(id), t.testSent) },
    ...(canChange
      ? [
          { label: t.rename, run: () => setOverlay('rename') },
          { label: t.rotateItem, run: () => setOverlay('rotate') },
        ]
      : []),
    { label: t.deleteItem, isDanger: true, run: () => setOverlay('delete') },
  ]
  return (
    <>
      <div class="row">
        {isFailing && (
          <button type="button" class="primary" onClick={retry}>
            {t.tryNow}
          </button>
        )}
        <button type="button" disabled={!canChange} onClick={change(state === 'active' ? 'paused' : 'active')}>
          {state === 'active' ? t.pause : t.resume}
        </button>
        <button type="button" disabled={!canChange} onClick={() => setOverlay('replay')}>
          {t.replay}
        </button>
        <Menu label={t.actions} items={more} />
      </div>
      {!canChange && (
        <p class="hint">
          {t.changes}: <NoScope scope="events:read" />
        </p>
      )}
      {overlay === 'delete' && (
        <Confirm
          title={t.deleteTitle}
          text={t.deleteText(webhook.name ?? webhook.url)}
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
      {overlay === 'rename' && (
        <Rename
          name={webhook.name ?? ''}
          onSave={(name) => {
            // Each change makes it deliver for another key.
            if (name === (webhook.name ?? null)) close()
            else void act(() => webhooks.update(id, { name }), t.renamed)
          }}
          onClose={close}
        />
      )}
      {overlay === 'replay' && (
        <Replay
          webhook={webhook}
          onRetry={isFailing ? retry : undefined}
          onReplay={(cursor, n) =>
            void act(() => webhooks.update(id, { cursor }), state === 'active' ? t.replaying(n) : t.replayLater(n))
          }
          onClose={close}
        />
      )}
    </>
  )
}
