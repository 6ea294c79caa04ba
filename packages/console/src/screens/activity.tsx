import { type PetstoreEvent, stringify } from '@petstore/client'
import { useState } from 'preact/hooks'
import { dayText, readDay, startOfDay } from '../days.ts'
import { formatClock, formatDateTime, formatLongDay } from '../format.ts'
import { readInt64 } from '../int64.ts'
import { texts } from '../later-texts.ts'
import { useRows } from '../live.ts'
import { href, place } from '../router.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { Who } from '../ui/initials.tsx'
import { Empty, Screen, Skeleton, Stale } from '../ui/screen.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { useToday } from '../ui/today.ts'
import { Filters } from './activity-filters.tsx'
import { createEventList, EVENT_TYPES, eventName } from './events-list.ts'
import { Freshness } from './pets/list-parts.tsx'

const { activity: t, common } = texts

export function ActivityScreen() {
  const { query } = place.value
  const type = EVENT_TYPES.find((name) => name === query.get('type'))
  const keyId = query.get('who') ?? undefined
  const pet = query.get('pet') ?? ''
  const day = query.get('day') ?? ''
  const petId = pet === '' ? undefined : readInt64(pet)
  const filter = { type, keyId, petId: typeof petId === 'bigint' ? petId : undefined, day: readDay(day) }
  const list = useRows(() => createEventList(filter), [type, keyId, filter.petId, filter.day?.getTime()])
  return (
    <Screen
      title={texts.frame.section.activity}
      actions={typeof petId === 'string' ? undefined : <State list={list} />}
    >
      <Filters type={type} keyId={keyId} pet={pet} day={day} />
      {typeof petId === 'string' ? <Empty title={common.int64[petId]} /> : <Log list={list} />}
    </Screen>
  )
}

type List = ReturnType<typeof createEventList>

/** Whether changes arrive by themselves, and the button that holds them back. Of a day that is over there are no more. */
function State({ list }: { list: List }) {
  const isPaused = list.isPaused.value
  if (list.isFromStart) return <span class="total">{t.earliestFirst}</span>
  return (
    <>
      {isPaused ? (
        <span class="fresh paused" role="status">
          {t.paused(list.data.value?.waiting.length ?? 0)}
        </span>
      ) : (
        <Freshness />
      )}
      <button type="button" aria-pressed={isPaused} onClick={() => list.pause(!isPaused)}>
        {isPaused ? t.resume : t.pause}
      </button>
    </>
  )
}

function Log({ list }: { list: List }) {
  const { shown, next, isCut } = list.data.value ?? {}
  const hasFailed = list.error.value !== undefined
  return (
    <>
      <Stale live={{ data: { value: shown?.[0] }, error: list.error, refresh: list.retry }} />
      {shown && shown.length > 0 ? (
        <Days events={shown} />
      ) : hasFailed ? null : !shown || list.isReadingOlder.value ? (
        <Skeleton rows={14} />
      ) : (
        <Empty title={t.none} text={next !== undefined ? t.noneYetHint : list.isFromStart ? '' : t.noneHint} />
      )}
      {next !== undefined && !hasFailed && (
        <p>
          <button type="button" aria-busy={list.isReadingOlder.value} onClick={() => void list.readOlder()}>
            {list.isFromStart ? t.showLater : t.showOlder}
          </button>
        </p>
      )}
      {shown && isCut && (
        <p class="notice">
          {t.cut(shown.length)}
          <button type="button" onClick={() => void list.restart()}>
            {t.restart}
          </button>
        </p>
      )}
    </>
  )
}

function Days({ events }: { events: readonly PetstoreEvent[] }) {
  useToday()
  return Object.entries(Object.groupBy(events, ({ time }) => dayText(new Date(time)))).map(([day, found = []]) => (
    <section key={day} class="day">
      <h2>{dayName(day)}</h2>
      <ol class="events">
        {found.map((event) => (
          <EventLine key={event.id} event={event} />
        ))}
      </ol>
    </section>
  ))
}

function dayName(day: string) {
  const now = new Date()
  if (day === dayText(now)) return t.today
  return day === dayText(startOfDay(now, -1)) ? t.yesterday : formatLongDay(readDay(day) ?? now)
}

function EventLine({ event }: { event: PetstoreEvent }) {
  const [isOpen, setOpen] = useState(false)
  const { order, keyId } = event.data
  return (
    <li aria-current={place.value.query.get('event') === event.id ? 'true' : undefined}>
      <div class="event">
        <time class="id" dateTime={event.time} title={formatDateTime(event.time)}>
          {formatClock(event.time)}
        </time>
        <Who keyId={keyId} isShort />
        <Sentence event={event} hasId />
        <button
          type="button"
          class="bare"
          aria-expanded={isOpen}
          aria-label={t.rawOf(eventName(event.type), event.id)}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of="down" isSmall />
        </button>
      </div>
      {isOpen && (
        <div class="raw">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is scrolled with the keyboard */}
          <pre tabIndex={0}>{stringify(event, 2)}</pre>
          <div class="row">
            <CopyButton label={common.copy} text={() => stringify(event, 2)} />
            {order && (
              <a class="button" href={href(`/orders?order=${order.id}`)}>
                {t.openOrder}
              </a>
            )}
          </div>
        </div>
      )}
    </li>
  )
}
