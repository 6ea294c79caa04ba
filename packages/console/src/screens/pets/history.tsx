import type { PetStatus, PetstoreEvent } from '@petstore/client'
import { categoryLabel } from '../../category-names.ts'
import { useRows } from '../../live.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Who } from '../../ui/initials.tsx'
import { Stale } from '../../ui/screen.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Time } from '../../ui/time.tsx'
import { createEventList } from '../events-list.ts'

const { history: t, status: statuses } = texts.pets

/** Who did what to a pet, and when; newest first. */
export function History({ id }: { id: bigint }) {
  return (
    <section class="history" aria-labelledby="history">
      <h3 id="history">{t.title}</h3>
      {can('events:read') ? <Changes id={id} /> : <p class="hint">{t.noScope}</p>}
    </section>
  )
}

function Changes({ id }: { id: bigint }) {
  const list = useRows(() => createEventList({ petId: id }), [id])
  const rows = list.data.value
  return (
    <>
      <Stale live={{ ...list, refresh: list.retry }} rows={2} />
      {rows?.shown.length === 0 && <p class="hint">{t.empty}</p>}
      <ol>
        {rows?.shown.map((event) => (
          <Entry key={event.id} event={event} />
        ))}
      </ol>
      {(rows?.next ?? rows?.isCut) && list.error.value === undefined && (
        <button
          type="button"
          aria-busy={list.isReadingOlder.value}
          onClick={() => void (rows?.isCut ? list.restart() : list.readOlder())}
        >
          {t.showOlder}
        </button>
      )}
    </>
  )
}

function Entry({ event }: { event: PetstoreEvent }) {
  const { type, time, data } = event
  const { changed = [], pet, previous } = data
  // A sentence about one field has both of its values, but for a status.
  const listed = type === 'pet.updated' && (changed.length > 1 || changed[0] === 'status') ? changed : []
  return (
    <li>
      <Who keyId={data.keyId} isShort />
      <div>
        <Sentence event={event} isOwn />
        {pet &&
          listed.map((field) => (
            <p key={field} class="from-to">
              {previous && field in previous && (
                <>
                  <bdi>{shown(field, previous)}</bdi> →{' '}
                </>
              )}
              <bdi>{shown(field, pet)}</bdi>
            </p>
          ))}
      </div>
      <span class="id">
        <Time at={time} isShort />
      </span>
    </li>
  )
}

interface Values {
  name?: string
  categoryId?: bigint
  status?: PetStatus | null
}

function shown(field: string, { name, categoryId, status }: Values) {
  if (field === 'status') return statuses[status ?? 'none']
  return field === 'categoryId' && categoryId !== undefined ? categoryLabel(categoryId) : name
}
