import { keys } from '../api.ts'
import { useLive } from '../live.ts'
import { texts } from '../texts.ts'
import { Who } from '../ui/initials.tsx'
import { Screen, Skeleton, Stale } from '../ui/screen.tsx'
import { Time } from '../ui/time.tsx'

const { people: t } = texts

/** The keys of the store, newest first. */
export function PeopleScreen() {
  const live = useLive(
    (signal) => keys.list({ signal }).page(),
    [],
    () => false,
  )
  const shown = live.data.value?.keys
  return (
    <Screen title={texts.frame.section.people}>
      <Stale live={live} />
      {!shown && live.error.value === undefined && <Skeleton />}
      {shown && (
        <table class="people">
          <thead>
            <tr>
              <th>{t.name}</th>
              <th class="state">{t.state}</th>
              <th>{t.lastUsed}</th>
              <th>{t.deprecated}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, name, state, lastUsedAt, deprecatedCalls }) => (
              <tr key={id}>
                <td title={id}>
                  <span class="who">
                    <Who keyId={id} isShort />
                    <bdi>{name}</bdi>
                  </span>
                </td>
                <td>{t.states[state]}</td>
                <td>{lastUsedAt === null ? t.never : <Time at={lastUsedAt} isShort />}</td>
                <td>{String(deprecatedCalls)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Screen>
  )
}
