import type { PetstoreEvent, Webhook } from '@petstore/client'
import { useEffect, useState } from 'preact/hooks'
import { events, explain } from '../api.ts'
import { texts } from '../manage-texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Time } from '../ui/time.tsx'

const { webhooks: t, common } = texts

interface ReplayProps {
  webhook: Webhook
  /** Sends what waits, from the event that failed; undefined if it is not failing. */
  onRetry: (() => void) | undefined
  onReplay: (cursor: string, count: bigint) => void
  onClose: () => void
}

interface Point {
  /** `oldest`, or a time. */
  cursor: string
  /** The first event since then. */
  event: PetstoreEvent
}

type Found = Point | 'none' | undefined

type From = 'failure' | 'oldest' | 'moment'
const CHOICES: readonly (readonly [From, string])[] = [
  ['failure', t.fromFailure],
  ['moment', t.fromMoment],
  ['oldest', t.fromOldest],
]

/** An hour before a time, as a field for times has it: in this time zone, in whole seconds. */
function earlier(time: string) {
  const date = new Date(Date.parse(time) - 3_600_000)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** Undefined if there is no event since then. */
async function pointAt(from: 'oldest' | Date, signal: AbortSignal): Promise<Point | undefined> {
  const [event] = (await events.list({ from, limit: 1, signal }).page()).events
  return event && { cursor: from === 'oldest' ? from : from.toISOString(), event }
}

/** Chooses the point, and shows how many events that is before anything is sent. */
export function Replay({ webhook, onRetry, onReplay, onClose }: ReplayProps) {
  const { failingSince } = webhook
  // The event that failed is from before that: to begin there would skip it.
  const [moment, setMoment] = useState(failingSince === undefined ? '' : earlier(failingSince))
  const [from, setFrom] = useState<From>(onRetry ? 'failure' : 'oldest')
  const [found, setFound] = useState<Found>()
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    const ending = new AbortController()
    setFound(undefined)
    setFault(undefined)
    const time = new Date(moment)
    if (from === 'failure' || (from === 'moment' && Number.isNaN(time.getTime()))) return
    pointAt(from === 'oldest' ? from : time, ending.signal).then(
      (point) => !ending.signal.aborted && setFound(point ?? 'none'),
      (error: unknown) => !ending.signal.aborted && setFault(explain(error)),
    )
    return () => ending.abort()
  }, [from, moment])
  const point = typeof found === 'object' ? found : undefined
  const first = BigInt(point?.event.sequence ?? 0)
  const delivered = BigInt(webhook.sequence)
  // Numbers of events are dense, so that nothing has to be counted.
  const count = delivered + BigInt(webhook.behind) - first + 1n
  // The one after the last that was delivered skips nothing.
  const isAhead = first > delivered + 1n
  return (
    <Dialog title={t.replayTitle} onClose={onClose}>
      <p class="soft">{t.replayText}</p>
      <fieldset class="field">
        <legend>{t.from}</legend>
        {CHOICES.map(([value, label]) =>
          value === 'failure' && !onRetry && from !== value ? null : (
            <label key={value} class="check">
              <input type="radio" name="from" checked={from === value} onChange={() => setFrom(value)} />
              {label}
            </label>
          ),
        )}
      </fieldset>
      {from === 'moment' && (
        <input
          type="datetime-local"
          step="1"
          aria-label={t.fromMoment}
          value={moment}
          onInput={(event) => setMoment(event.currentTarget.value)}
        />
      )}
      <p class={fault === undefined ? 'notice found' : 'notice warn found'} role="status">
        {fault}
        {found === 'none' && t.nothingSince}
        {point && (isAhead ? t.notThereYet : t.count(count))}
        {point && !isAhead && (
          <span class="soft">
            {t.first} <Time at={point.event.time} />
          </span>
        )}
        {from === 'failure'
          ? onRetry
            ? t.nothingLost(webhook.behind)
            : t.worksAgain
          : !found && fault === undefined && (from === 'oldest' || moment !== '' ? common.loading : t.chooseMoment)}
      </p>
      <footer>
        <button type="button" onClick={onClose}>
          {common.cancel}
        </button>
        {from === 'failure' ? (
          <button type="button" class="primary" disabled={!onRetry} onClick={onRetry}>
            {t.tryNow}
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            disabled={!point || isAhead}
            onClick={() => point && onReplay(point.cursor, count)}
          >
            {point && !isAhead ? t.replayCount(count) : t.replayNone}
          </button>
        )}
      </footer>
    </Dialog>
  )
}
