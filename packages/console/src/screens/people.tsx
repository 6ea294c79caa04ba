import type { ListedKey } from '@petstore/client'
import { keys } from '../api.ts'
import { formatDate, formatNumber } from '../format.ts'
import { noEvent, useLive } from '../live.ts'
import { texts } from '../manage-texts.ts'
import { place, withQuery } from '../router.ts'
import { KeysElsewhere } from '../ui/contact.tsx'
import { Who } from '../ui/initials.tsx'
import { Empty, Screen, Stale } from '../ui/screen.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Time } from '../ui/time.tsx'
import { roleOf } from './people-role.ts'

const { people: t } = texts
/** Five requests. */
const MOST = 500
/** Open orders are counted up to this number. */
const MOST_ORDERS = 50
/** The status counts keys that end this soon. */
const SOON_MS = 30 * 86_400_000

/** Those that work come first, each part by name. */
const isOver = ({ state }: ListedKey) => state === 'expired' || state === 'revoked'
const byName = (a: ListedKey, b: ListedKey) =>
  Number(isOver(a)) - Number(isOver(b)) || a.name.localeCompare(b.name) || b.createdAt.localeCompare(a.createdAt)

async function load(signal: AbortSignal) {
  const found: ListedKey[] = []
  for await (const key of keys.list({ signal })) if (found.push(key) === MOST) break
  return found.toSorted(byName)
}

/** The keys of the store. The service itself can't change them. */
export function PeopleScreen() {
  const live = useLive(load, [], noEvent)
  const all = live.data.value
  const deprecated = all?.filter(({ deprecatedCalls }) => deprecatedCalls > 0n)
  const isDeprecated = place.value.query.has('deprecated')
  const shown = isDeprecated ? deprecated : all
  const path = (value?: string) => withQuery({ deprecated: value })
  return (
    <Screen title={texts.frame.section.people}>
      <Tabs
        label={t.views}
        tabs={[
          { label: t.all, count: all?.length, path: path(), isCurrent: !isDeprecated },
          { label: t.usesDeprecated, count: deprecated?.length, path: path('1'), isCurrent: isDeprecated },
        ]}
      />
      <Stale live={live} rows={8} />
      <div class="list">
        {shown?.length === 0 && <Empty title={t.noneDeprecated} />}
        {shown && shown.length > 0 && <KeyTable rows={shown} />}
      </div>
      {all?.length === MOST && <p class="notice">{texts.common.cut(MOST)}</p>}
      {all && (
        <p class="hint keys-elsewhere">
          <KeysElsewhere />
        </p>
      )}
    </Screen>
  )
}

const endsSoon = ({ state, expiresAt }: ListedKey) =>
  state === 'active' && expiresAt !== null && Date.parse(expiresAt) - Date.now() <= SOON_MS

const ordersOf = (n: number) => (n < MOST_ORDERS ? formatNumber(n) : `${MOST_ORDERS}+`)

/** What has no column on a phone. */
function inShort(key: ListedKey) {
  const { state, expiresAt, openOrders, webhooks } = key
  return [
    state !== 'active' && t.states[state],
    expiresAt !== null && !isOver(key) && t.expiresOn(formatDate(expiresAt)),
    openOrders > 0 && t.orders(ordersOf(openOrders), openOrders),
    webhooks > 0 && t.ofWebhooks(webhooks),
  ].filter((part) => part !== false)
}

function KeyTable({ rows }: { rows: readonly ListedKey[] }) {
  return (
    <table class="people">
      <thead>
        <tr>
          <th>{t.name}</th>
          <th class="wide">{t.state}</th>
          <th class="when">{t.lastUsed}</th>
          <th class="wide when">{t.expires}</th>
          <th class="wide figures">{t.openOrders}</th>
          <th class="wide figures">{t.webhooks}</th>
          <th class="figures">{t.deprecated}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((key) => (
          <KeyRow key={key.id} of={key} />
        ))}
      </tbody>
    </table>
  )
}

function KeyRow({ of: key }: { of: ListedKey }) {
  const { id, name, state, scopes, lastUsedAt, expiresAt, openOrders, openOrderLimit, webhooks, deprecatedCalls } = key
  return (
    <tr class={isOver(key) ? 'soft' : undefined}>
      <td title={id}>
        <span class="who">
          <Who keyId={id} name={name} isShort />
          <span>
            <bdi class="name">{name}</bdi>
            <span class="hint" title={scopes.join(' ')}>
              {roleOf(scopes)}
              <span class="narrow">{inShort(key).map((part) => ` · ${part}`)}</span>
            </span>
          </span>
        </span>
      </td>
      <td class="wide">{t.states[state]}</td>
      <td class="when">{lastUsedAt === null ? t.never : <Time at={lastUsedAt} isShort />}</td>
      <td class={endsSoon(key) ? 'wide when old-calls' : 'wide when'}>
        {expiresAt === null ? t.never : <time dateTime={expiresAt}>{formatDate(expiresAt)}</time>}
      </td>
      <td class="wide figures" title={t.ofLimit(openOrderLimit)}>
        {ordersOf(openOrders)}
      </td>
      <td class="wide figures">{webhooks}</td>
      <td class={deprecatedCalls > 0n ? 'figures old-calls' : 'figures'}>{formatNumber(deprecatedCalls)}</td>
    </tr>
  )
}
