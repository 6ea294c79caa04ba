import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { pets } from '../api.ts'
import { readDay } from '../days.ts'
import { formatWeekday } from '../format.ts'
import { useLive } from '../live.ts'
import { go, withQuery } from '../router.ts'
import { can } from '../session.ts'
import { texts } from '../texts.ts'
import { Contact } from '../ui/contact.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Empty, Screen } from '../ui/screen.tsx'
import { useToday } from '../ui/today.ts'
import { Health } from './home-health.tsx'
import { LastChanges, OpenOrders, PetsByStatus } from './home-lists.tsx'
import { Sold } from './home-sold.tsx'

const { home: t } = texts

/** Today, at a glance. Orders and changes are read first, the rest when they are there. */
export function HomeScreen() {
  const today = useToday()
  const [isReady, setReady] = useState(!can('orders:read'))
  const total = useLive(
    async (signal) => (can('pets:read') ? (await pets.count({ signal })).count : undefined),
    [],
    // Only whether there is one matters.
    ({ type }): boolean => type === 'pet.deleted' || total.data.peek() === 0,
  )
  const day = readDay(today) ?? new Date()
  const isEmpty = total.data.value === 0
  const actions = (
    <>
      <time class="soft" dateTime={today}>
        {formatWeekday(day)}
      </time>
      {(can('status:read') || can('webhooks:manage')) && !isEmpty && <Health isReady={isReady} />}
    </>
  )
  return (
    <Screen title={texts.frame.section.home} actions={actions}>
      {isEmpty ? (
        <NewStore />
      ) : can('orders:read') || can('pets:read') || can('events:read') ? (
        <div class="home">
          {can('orders:read') && (
            <div>
              <Sold key={today} />
              <Card title={t.soonest}>
                <OpenOrders onRead={() => setReady(true)} />
              </Card>
            </div>
          )}
          <div>
            {can('pets:read') && (
              <Card title={t.pets}>
                <PetsByStatus isReady={isReady} />
              </Card>
            )}
            {can('events:read') && (
              <Card title={t.changes}>
                <LastChanges />
              </Card>
            )}
          </div>
        </div>
      ) : (
        <Empty
          title={t.nothing}
          text={
            <>
              {t.nothingLead} <Contact />.
            </>
          }
        />
      )}
    </Screen>
  )
}

/** As high as what it holds. */
function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function NewStore() {
  return (
    <Empty icon="pets" title={t.emptyTitle} text={can('pets:write') ? t.emptyLead : t.emptyReadOnly}>
      {can('pets:write') && (
        <>
          <button type="button" class="primary" onClick={() => go(withQuery({ add: '1' }), { replace: true })}>
            {t.addFirst}
          </button>
          <h3>{t.importMany}</h3>
          <p>{t.importHint}</p>
          <div class="row">
            <code class="number">{texts.pets.importCommand}</code>
            <CopyButton label={texts.common.copy} text={() => texts.pets.importCommand} />
          </div>
        </>
      )}
    </Empty>
  )
}
