import { type EventType, type PetstoreEvent, stringify } from '@petstore/client'
import { useEffect, useState } from 'preact/hooks'
import { feedState } from '../feed.ts'
import { readInt64 } from '../int64.ts'
import { useRows } from '../live.ts'
import { go, href, place, withQuery } from '../router.ts'
import { texts } from '../texts.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Field } from '../ui/field.tsx'
import { Empty, Screen, Skeleton, Stale } from '../ui/screen.tsx'
import { Limited, Time } from '../ui/time.tsx'
import { createEventList, EVENT_TYPES } from './events-list.ts'

const { activity: t, common } = texts

/** What happened, in words; a type that this version does not know has only its name. */
export const eventName = (type: string) => (t.types as Record<string, string>)[type] ?? type

export function ActivityScreen() {
  const { query } = place.value
  const type = EVENT_TYPES.find((name) => name === query.get('type'))
  const pet = query.get('pet') ?? ''
  const petId = pet === '' ? undefined : readInt64(pet)
  return (
    <Screen title={texts.frame.section.activity}>
      <Filters type={type} pet={pet} />
      {typeof petId === 'string' ? (
        <Empty title={common.int64[petId]} />
      ) : (
        <Tail key={`${type} ${petId}`} type={type} petId={petId} />
      )}
    </Screen>
  )
}

function Filters({ type, pet }: { type: EventType | undefined; pet: string }) {
  const [typed, setTyped] = useState(pet)
  useEffect(() => setTyped(pet), [pet])
  const [fault, setFault] = useState<string>()
  const submit = (event: Event) => {
    event.preventDefault()
    const id = typed.trim() === '' ? undefined : readInt64(typed)
    setFault(typeof id === 'string' ? common.int64[id] : undefined)
    if (typeof id !== 'string') go(withQuery({ pet: id?.toString() }))
  }
  return (
    <form class="event-filters" onSubmit={submit}>
      <div class="field">
        <label for="type">{t.type}</label>
        <select
          id="type"
          value={type ?? ''}
          onChange={(event) => go(withQuery({ type: event.currentTarget.value || undefined }))}
        >
          <option value="">{t.allTypes}</option>
          {EVENT_TYPES.map((name) => (
            <option key={name} value={name}>
              {t.types[name]}
            </option>
          ))}
        </select>
      </div>
      <Field
        label={t.pet}
        inputMode="numeric"
        placeholder={t.petHint}
        value={typed}
        fault={fault}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={submit}
      />
      {(type !== undefined || pet !== '') && <a href={href('/activity')}>{t.showAll}</a>}
    </form>
  )
}

function Tail({ type, petId }: { type: EventType | undefined; petId: bigint | undefined }) {
  const list = useRows(() => createEventList({ type, petId }), [type, petId])
  const { shown, waiting = [], next, isCut } = list.data.value ?? {}
  const isPaused = list.isPaused.value
  const hasFailed = list.error.value !== undefined
  return (
    <>
      <div class="row tail-state">
        <span class={`fresh ${isPaused ? 'paused' : feedState.value}`} role="status">
          {isPaused ? (
            t.paused(waiting.length)
          ) : feedState.value === 'limited' ? (
            <Limited />
          ) : (
            t.states[feedState.value]
          )}
        </span>
        <button type="button" aria-pressed={isPaused} onClick={() => list.pause(!isPaused)}>
          {isPaused ? t.resume : t.pause}
        </button>
      </div>
      <Stale live={{ data: { value: shown?.[0] }, error: list.error, refresh: list.retry }} />
      {shown && shown.length > 0 ? (
        <ol class="events">
          {shown.map((event) => (
            <EventLine key={event.id} event={event} />
          ))}
        </ol>
      ) : hasFailed ? null : !shown || list.isReadingOlder.value ? (
        <Skeleton />
      ) : (
        <Empty title={t.none} text={next === undefined ? t.noneHint : t.noneYetHint} />
      )}
      {next !== undefined && !hasFailed && (
        <p>
          <button type="button" aria-busy={list.isReadingOlder.value} onClick={() => void list.readOlder()}>
            {t.showOlder}
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

function EventLine({ event }: { event: PetstoreEvent }) {
  const [isOpen, setOpen] = useState(false)
  const { pet, order, changed, keyId, added } = event.data
  return (
    <li aria-current={place.value.query.get('event') === event.id ? 'true' : undefined}>
      <div class="event">
        <Time at={event.time} />
        <strong>{eventName(event.type)}</strong>
        <span>
          {pet && (
            <a href={href(`/pets?pet=${pet.id}`)}>
              {pet.name} · <span class="number">{String(pet.id)}</span>
            </a>
          )}
          {added !== undefined && t.added(added)}
          {order ? (
            <>
              {' · '}
              <a class="number" href={href(`/orders?order=${order.id}`)}>
                {order.id}
              </a>
            </>
          ) : (
            changed && <span class="soft"> · {t.changed(changed)}</span>
          )}
        </span>
        <span class="number soft">{keyId ?? t.byService}</span>
        <button
          type="button"
          class="link"
          aria-expanded={isOpen}
          aria-label={t.rawOf(eventName(event.type), event.id)}
          onClick={() => setOpen(!isOpen)}
        >
          {t.raw}
        </button>
      </div>
      {isOpen && (
        <div class="raw">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the screen is scrolled with the keyboard */}
          <pre tabIndex={0}>{stringify(event, 2)}</pre>
          <CopyButton label={common.copy} text={() => stringify(event, 2)} />
        </div>
      )}
    </li>
  )
}
