import { useEffect } from 'preact/hooks'
import { orders } from '../api.ts'
import { formatCount, MOST_COUNTED } from '../format.ts'
import { useLive, useRows } from '../live.ts'
import { href } from '../router.ts'
import { texts } from '../texts.ts'
import { Who } from '../ui/initials.tsx'
import { Named } from '../ui/named.tsx'
import { Stale } from '../ui/screen.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { PET_STATUSES, Status } from '../ui/status.tsx'
import { Time, TimeLeft } from '../ui/time.tsx'
import { createEventList } from './events-list.ts'
import { useCounts } from './pets/counts.ts'
import { petName, readPets } from './pets/records.ts'

const { home: t } = texts
const SOONEST = 8
const LAST = 8

/** The open orders that end first, with what they hold. `onRead`: the first read has ended. */
export function OpenOrders({ onRead }: { onRead: () => void }) {
  const live = useLive(
    async (signal) => {
      const { orders: found } = await orders.list({ status: 'placed', sort: 'expiring', limit: SOONEST, signal }).page()
      await readPets(
        found.map(({ petId }) => petId),
        signal,
      )
      return found
    },
    [],
    ({ type, data: { pet, changed } }): boolean =>
      type.startsWith('order.') ||
      (changed?.includes('name') === true && live.data.peek()?.some(({ petId }) => petId === pet?.id) !== false),
  )
  const shown = live.data.value
  const hasEnded = shown !== undefined || live.error.value !== undefined
  useEffect(() => {
    if (hasEnded) onRead()
  }, [hasEnded])
  return (
    <>
      <Stale live={live} rows={SOONEST} />
      {shown?.length === 0 && <p class="soft">{t.noOpen}</p>}
      <ul class="lines open-orders">
        {shown?.map(({ id, petId, reference, placedBy, expiresAt }) => (
          <li key={id}>
            <Named name={petName(petId)} id={petId} path={`/orders?order=${id}`} />
            <span class="one-line soft" dir="auto">
              {reference ?? texts.orders.noReference}
            </span>
            {/* Orders of earlier versions do not have it. */}
            {placedBy === undefined ? <span class="who" /> : <Who keyId={placedBy} />}
            <TimeLeft until={expiresAt} />
          </li>
        ))}
      </ul>
      {shown && shown.length > 0 && (
        <a class="all" href={href('/orders?status=placed')}>
          {t.allOpen}
        </a>
      )}
    </>
  )
}

export function PetsByStatus({ isReady }: { isReady: boolean }) {
  const live = useCounts(undefined, isReady)
  const counts = live.data.value
  const all = counts && Object.values(counts).reduce((sum, n) => sum + n, 0)
  return (
    <>
      <Stale live={live} rows={4} />
      <ul class="lines by-status">
        {counts &&
          PET_STATUSES.map((status) => (
            <li key={status}>
              <a href={href(`/pets?status=${status}`)}>
                <Status of={status} />
                <span class="number">{formatCount(counts[status])}</span>
              </a>
            </li>
          ))}
        {/* How many have none follows from the others only as long as all are counted. */}
        {counts && counts.none > 0 && all !== undefined && all < MOST_COUNTED && (
          <li>
            <span>
              <Status of="none" />
              <span class="number">{formatCount(counts.none)}</span>
            </span>
          </li>
        )}
      </ul>
      {counts && all !== undefined && (
        <a class="all" href={href('/pets')}>
          {t.all} <span class="number">{formatCount(all)}</span>
        </a>
      )}
    </>
  )
}

/** As they come, without another read. */
export function LastChanges() {
  const list = useRows(() => createEventList({ limit: LAST }), [])
  const shown = list.data.value?.shown
  return (
    <>
      <Stale live={{ ...list, refresh: list.retry }} rows={LAST} />
      {shown?.length === 0 && <p class="soft">{t.noChanges}</p>}
      <ul class="lines changes">
        {shown?.slice(0, LAST).map((event) => (
          <li key={event.id}>
            <Who keyId={event.data.keyId} isShort />
            <Sentence event={event} />
            <span class="id">
              <Time at={event.time} isShort />
            </span>
          </li>
        ))}
      </ul>
      {shown && shown.length > 0 && (
        <a class="all" href={href('/activity')}>
          {t.allChanges}
        </a>
      )}
    </>
  )
}
