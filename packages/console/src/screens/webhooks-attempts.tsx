import type { Webhook, WebhookAttempt } from '@petstore/client'
import { useEffect, useRef } from 'preact/hooks'
import { webhooks } from '../api.ts'
import { type Live, noEvent, useLive } from '../live.ts'
import { texts } from '../manage-texts.ts'
import { href } from '../router.ts'
import { Stale } from '../ui/screen.tsx'
import { Time } from '../ui/time.tsx'
import { petOfEvent } from './event-id.ts'

const { webhooks: t } = texts
/** So many characters at the end of an id tell events apart. */
const SHORT = 6

/** The last attempts, read again when there is another. */
export function useAttempts(webhook: Webhook) {
  const live = useLive((signal) => webhooks.attempts(webhook.id, { signal }), [webhook.id], noEvent)
  // The list, which is read every other second, says when there is another.
  const { at, eventId } = webhook.lastAttempt ?? {}
  const last = `${at} ${eventId}`
  const read = useRef(last)
  useEffect(() => {
    if (read.current !== last) void live.refresh()
    read.current = last
  }, [last])
  return live
}

export function Attempts({ live }: { live: Live<readonly WebhookAttempt[]> }) {
  const shown = live.data.value
  return (
    <>
      <h3>{t.attempts}</h3>
      <Stale live={live} rows={3} />
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
              <AttemptRow key={attempt.at + attempt.eventId} of={attempt} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function AttemptRow({ of: { at, eventId, status, error, durationMs, responseBody } }: { of: WebhookAttempt }) {
  const result = status ?? t.noResponse
  return (
    <tr>
      <td>
        <Time at={at} />
        <p class="hint">
          <EventLink id={eventId} />
        </p>
      </td>
      <td>
        {error === undefined ? (
          result
        ) : (
          <span class="fault">
            {result} · {error}
          </span>
        )}
        {responseBody !== undefined && (
          <details>
            <summary class="hint">{t.responseBody}</summary>
            <ResponseBody text={responseBody} />
          </details>
        )}
      </td>
      <td class="number">{t.ms(durationMs)}</td>
    </tr>
  )
}

/** How the body of a response begins, as text. */
export const ResponseBody = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its box is scrolled with the keyboard
  <pre class="body" dir="auto" tabIndex={0}>
    {text}
  </pre>
)

/** To the event among those of its pet. An import is no event of one pet. */
function EventLink({ id }: { id: string }) {
  if (id.startsWith('evt_ping_')) return t.test
  const pet = petOfEvent(id)
  const ofPet = pet === undefined ? '' : `&pet=${pet}`
  return (
    <a class="number" href={href(`/activity?event=${id}${ofPet}`)} title={id}>
      {t.event} …{id.slice(-SHORT)}
    </a>
  )
}
