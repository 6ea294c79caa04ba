import { useEffect } from 'preact/hooks'
import { orders, pets } from '../api.ts'
import { formatCount } from '../format.ts'
import { type Live, useLive, useRows } from '../live.ts'
import { href } from '../router.ts'
import { can } from '../session.ts'
import { texts } from '../texts.ts'
import { Who } from '../ui/initials.tsx'
import { Named } from '../ui/named.tsx'
import { Stale } from '../ui/screen.tsx'
import { Sentence } from '../ui/sentence.tsx'
import { PET_STATUSES, Status } from '../ui/status.tsx'
import { Time, TimeLeft } from '../ui/time.tsx'
import { createEventList } from './events-list.ts'

const { home: t } = texts
const SOONEST = 8
const LAST = 8
/** 1,000 stands for that many or more. */
const CAPPED = 1_000

/** The open orders that end first, with what they hold. `onRead`: the first read has ended. */
export function OpenOrders({ onRead }: { onRead: () => void }) {
  const live = useLive(
    async (signal) => {
      const page = await orders.list({ status: 'placed', sort: 'expiring', limit: SOONEST, signal }).page()
      const ids = [...new Set(page.orders.map(({ petId }) => petId))]
      const found = can('pets:read') ? (await pets.list({ ids, signal }).page()).pets : []
      return { orders: page.orders, names: new Map(found.map(({ id, name }) => [id, name])) }
    },
    [],
    ({ type, data }) => type.startsWith('order.') || data.changed?.includes('name') === true,
  )
  const shown = live.data.value
  const hasEnded = shown !== undefined || live.error.value !== undefined
  useEffect(() => {
    if (hasEnded) onRead()
  }, [hasEnded])
  return (
    <>
      <Stale live={live} rows={SOONEST} />
      {shown?.orders.length === 0 && <p class="soft">{t.noOpen}</p>}
      <ul class="lines open-orders">
        {shown?.orders.map(({ id, petId, reference, placedBy, expiresAt }) => (
          <li key={id}>
            <Named name={shown.names.get(petId) ?? t.pet(petId)} id={petId} path={`/orders?order=${id}`} />
            <span class="one-line soft" dir="auto">
              {reference ?? t.noReference}
            </span>
            {/* Orders of earlier versions do not have it. */}
            {placedBy === undefined ? <span class="who" /> : <Who keyId={placedBy} />}
            <TimeLeft until={expiresAt} />
          </li>
        ))}
      </ul>
      {shown && shown.orders.length > 0 && (
        <a class="all" href={href('/orders?status=placed')}>
          {t.allOpen}
        </a>
      )}
    </>
  )
}

/** `total`: how many there are in all. */
export function PetsByStatus({ total, isReady }: { total: Live<number | undefined>; isReady: boolean }) {
  const live = useLive(
    async (signal) => {
      if (!isReady) return undefined
      const counts = PET_STATUSES.map(async (status) => ({
        status,
        count: (await pets.count({ status, signal })).count,
      }))
      return Promise.all(counts)
    },
    [isReady],
    ({ type, data }) => type !== 'pet.updated' || data.changed?.includes('status') !== false,
  )
  const counts = live.data.value
  const all = total.data.value
  // How many have none follows from the others only as long as all are counted.
  const none = counts && all !== undefined && all < CAPPED && all - counts.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <Stale live={live} rows={4} />
      <ul class="lines by-status">
        {counts?.map(({ status, count }) => (
          <li key={status}>
            <a href={href(`/pets?status=${status}`)}>
              <Status of={status} />
              <span class="number">{formatCount(count)}</span>
            </a>
          </li>
        ))}
        {typeof none === 'number' && none > 0 && (
          <li>
            <span>
              <Status of="none" />
              <span class="number">{formatCount(none)}</span>
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
