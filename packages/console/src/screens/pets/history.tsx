import type { PetRecord, PetstoreEvent } from '@petstore/client'
import { useRows } from '../../live.ts'
import { can, key } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Skeleton, Stale } from '../../ui/screen.tsx'
import { Time } from '../../ui/time.tsx'
import { createEventList } from '../events-list.ts'

const { history: t, status } = texts.pets

/** Who did what to a pet, and when; newest first. */
export function History({ id }: { id: bigint }) {
  return (
    <section class="history" aria-labelledby="history">
      <h3 id="history">{t.title}</h3>
      {can('events:read') ? <Changes id={id} /> : <p class="hint">{t.noScope}</p>}
    </section>
  )
}

interface Change {
  event: PetstoreEvent
  /** The pet before; undefined if the event before is no longer kept. */
  before: PetRecord | undefined
}

function Changes({ id }: { id: bigint }) {
  const list = useRows(() => createEventList({ petId: id }), [id])
  const rows = list.data.value
  const hasOlder = rows !== undefined && (rows.next !== undefined || rows.isCut)
  const all = rows?.shown.map((event, i, events) => ({ event, before: events[i + 1]?.data.pet }))
  // What an event changed shows only beside the one before it, so the oldest one waits for the next page.
  const changes = hasOlder ? all?.slice(0, -1) : all
  return (
    <>
      <Stale live={{ ...list, refresh: list.retry }} />
      {!changes && list.error.value === undefined && <Skeleton rows={2} />}
      {changes?.length === 0 && <p class="hint">{t.empty}</p>}
      <ol>
        {changes?.map((change) => (
          <Entry key={change.event.id} {...change} />
        ))}
      </ol>
      {hasOlder && list.error.value === undefined && (
        <button
          type="button"
          aria-busy={list.isReadingOlder.value}
          onClick={() => void (rows.isCut ? list.restart() : list.readOlder())}
        >
          {t.showOlder}
        </button>
      )}
    </>
  )
}

function Entry({ event, before }: Change) {
  const { type, time, data } = event
  const who = data.keyId === undefined ? t.service : data.keyId === key.value?.id ? t.you : data.keyId
  return (
    <li>
      <strong>{titleOf(type)}</strong>
      {type !== 'pet.created' &&
        data.changed?.map((field) => (
          <div key={field}>
            {t.field[field] ?? field}: {data.pet && fromTo(field, before, data.pet)}
          </div>
        ))}
      <div class="soft">
        <Time at={time} /> {t.by(who)}
      </div>
    </li>
  )
}

function titleOf(type: string) {
  if (type === 'pet.created') return t.created
  if (type === 'pet.deleted') return t.deleted
  return t.order[type] ?? t.changed
}

function fromTo(field: string, before: PetRecord | undefined, after: PetRecord) {
  const to = shown(field, after)
  return before ? t.fromTo(shown(field, before), to) : to
}

function shown(field: string, pet: PetRecord) {
  if (field === 'status') return status[pet.status ?? 'none']
  return field === 'name' ? pet.name : String(pet.categoryId)
}
