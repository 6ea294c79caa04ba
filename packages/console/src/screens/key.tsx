import type { DeprecatedUse } from '@petstore/client'
import { deprecations, keys, rateLimit } from '../api.ts'
import { count, formatDateTime } from '../format.ts'
import { noEvent, useLive } from '../live.ts'
import { texts } from '../manage-texts.ts'
import { isSandbox } from '../session.ts'
import { Contact, KeysElsewhere } from '../ui/contact.tsx'
import { Fact } from '../ui/fact.tsx'
import { Screen, Stale } from '../ui/screen.tsx'
import { Time } from '../ui/time.tsx'

const { key: t } = texts

/** Read again, so that a limit or a successor that the operator has just set is shown. Nothing in the feed changes a key. */
export function OwnKeyScreen() {
  const live = useLive(
    async (signal) => {
      const [own, uses] = await Promise.all([keys.self({ signal }), deprecations({ signal })])
      return { own, uses }
    },
    [],
    noEvent,
  )
  return (
    <Screen title={texts.frame.section.key}>
      <Stale live={live} rows={6} />
      {live.data.value && <Facts {...live.data.value} />}
    </Screen>
  )
}

/** Always with its year: a key may last for several. */
const Moment = ({ at }: { at: string }) => <time dateTime={at}>{formatDateTime(at)}</time>

type KeyFacts = Awaited<ReturnType<typeof keys.self>>

function Facts({ own, uses }: { own: KeyFacts; uses: readonly DeprecatedUse[] }) {
  const limit = rateLimit.value ?? own.rateLimit
  const left = rateLimit.value?.remaining
  return (
    <div class="own-key">
      <dl class="facts">
        <Fact name={t.name}>
          <bdi>{own.name}</bdi>
        </Fact>
        <Fact name={t.id}>
          <span class="number">{own.id}</span>
        </Fact>
        <Fact name={t.mode}>{t.modes[isSandbox.value ? 'sandbox' : own.mode]}</Fact>
        <Fact name={t.scopes}>
          <ul>
            {own.scopes.map((scope) => (
              <li key={scope}>
                <code>{scope}</code> <span class="soft">{(t.scope as Record<string, string>)[scope]}</span>
              </li>
            ))}
          </ul>
        </Fact>
        <Fact name={t.created}>
          <Moment at={own.createdAt} />
        </Fact>
        <Fact name={t.expires}>
          {own.expiresAt === null ? (
            t.never
          ) : (
            <>
              <Moment at={own.expiresAt} /> (<Time at={own.expiresAt} relative />)
            </>
          )}
        </Fact>
        <Fact name={t.limit}>{limit ? t.quota(limit.quota, limit.windowSeconds) : t.noLimit}</Fact>
        {limit && left !== undefined && <Fact name={t.left}>{count(left, t.request, t.requests)}</Fact>}
        <Fact name={t.replacedBy}>
          {own.replacedBy === undefined ? (
            t.notReplaced
          ) : (
            <>
              <span class="number">{own.replacedBy}</span>
              <p class="hint">
                {t.replacedHint} <Contact />.
              </p>
            </>
          )}
        </Fact>
      </dl>
      <h2>{t.deprecated}</h2>
      {uses.length === 0 ? <p class="soft">{t.noDeprecated}</p> : <Deprecated uses={uses} />}
      <p class="notice">
        <KeysElsewhere />
      </p>
    </div>
  )
}

function Deprecated({ uses }: { uses: readonly DeprecatedUse[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>{t.operation}</th>
          <th>{t.calls}</th>
          <th>{t.lastCalled}</th>
          <th>{t.instead}</th>
        </tr>
      </thead>
      <tbody>
        {uses.map((use) => (
          <tr key={use.operation}>
            <td>
              <a href={use.documentation} target="_blank" rel="noopener">
                <code>
                  {use.method} {use.path}
                </code>
              </a>
            </td>
            <td class="number">{String(use.calls)}</td>
            <td>
              <Moment at={use.lastCalled} />
            </td>
            <td>
              <code>{use.successor}</code>
              <p class="hint">{t.sunset(use.sunset)}</p>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
