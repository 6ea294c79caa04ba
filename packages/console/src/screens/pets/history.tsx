import type { PetRecord, PetstoreEvent } from '@petstore/client'
import { useMemo } from 'preact/hooks'
import { events } from '../../api.ts'
import { useLive } from '../../live.ts'
import { can, key } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Skeleton, Stale } from '../../ui/screen.tsx'
import { Time } from '../../ui/time.tsx'

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

/** So many are shown at most, and so many read at once. */
const MOST = 1_000
const PAGE = 100

function Changes({ id }: { id: bigint }) {
  const history = useMemo(() => createHistory(id), [id])
  const live = useLive(history.read, [id], ({ subject }) => subject === `pets/${id}`)
  const { changes, isCut } = live.data.value ?? {}
  return (
    <>
      <Stale live={live} />
      {isCut && (
        <p class="notice">
          {t.cut(MOST)}
          <button
            type="button"
            onClick={() => {
              history.readOn()
              void live.refresh()
            }}
          >
            {t.showNewer}
          </button>
        </p>
      )}
      {!changes && live.error.value === undefined && <Skeleton rows={2} />}
      {changes?.length === 0 && <p class="hint">{t.empty}</p>}
      <ol>
        {changes?.map((change) => (
          <Entry key={change.event.id} {...change} />
        ))}
      </ol>
    </>
  )
}

/** The service returns the oldest first. Each read continues where the last one ended. */
function createHistory(id: bigint) {
  let cursor: string | undefined
  /** Newest first. */
  let changes: readonly Change[] = []
  /** How many may still be read. */
  let left = MOST
  const read = async (signal: AbortSignal) => {
    const list = events.history(id, { limit: PAGE, signal })
    while (left >= 0) {
      const page = await list.page(cursor)
      for (const event of page.events)
        changes = [{ event, before: changes[0]?.event.data.pet }, ...changes].slice(0, MOST)
      left -= page.events.length
      if (page.next === cursor || page.events.length === 0) {
        cursor = page.next
        left = MOST
        return { changes, isCut: false }
      }
      cursor = page.next
    }
    return { changes, isCut: true }
  }
  const readOn = () => {
    left = MOST
  }
  return { read, readOn }
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
