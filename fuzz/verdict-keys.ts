import { type Json, Literal } from './oracle/json.ts'
import { isTime } from './oracle/order.ts'
import { nextPage, type Shown, startOf } from './shown.ts'

const KEY_ID = /^key_[0-9A-Za-z]{16}$/
const STATES = ['active', 'replaced', 'expired', 'revoked']
const MAX_NAMES = 1_000
const COUNTS = ['openOrders', 'openOrderLimit', 'webhooks', 'deprecatedCalls']
const FIELDS = ['id', 'name', 'mode', 'scopes', 'createdAt', 'expiresAt', 'state', 'lastUsedAt', ...COUNTS]
const SOMETIMES = ['rateLimit', 'replacedBy']
const DATABASE_STATES = ['ok', 'lost', 'stalled', 'read_only', 'schema_outdated', 'rights_missing']

/** A page has whole keys, the newest first, each once, and nothing that could be used as one. */
export function checkKeys({ search, response, value, store }: Shown) {
  const keys = Array.isArray(value) ? value : []
  if (!Array.isArray(value) || !keys.every(isListedKey)) return `a list of keys that is none: ${startOf(response.body)}`
  if (keys.length > search.limit) return `${keys.length} keys with a limit of ${search.limit}`
  const times = keys.map((key) => textIn(key, 'createdAt'))
  if (times.some((time, i) => time > (times[i - 1] ?? time))) return 'a list of keys that is out of order'
  const next = nextPage(response)
  if (next !== undefined && keys.length < search.limit) return 'a page that is not full has a next link'
  if (next !== undefined) store.keepCursor(next)
  return checkIds(keys, response.body)
}

export function checkKeyNames({ response, value }: Shown) {
  const isName = (key: Json) => key instanceof Map && [...key.keys()].join() === 'id,name' && hasNames(key)
  if (!Array.isArray(value) || !value.every(isName) || value.length === 0 || value.length > MAX_NAMES)
    return `a list of names of keys that is none: ${startOf(response.body)}`
  if (!/^"[!#-~]+"$/.test(response.headers.get('etag') ?? '')) return '200: ETag is missing'
  return checkIds(value, response.body)
}

export function checkStatus({ response, value }: Shown) {
  const [database, feed, search, webhooks] = ['database', 'feed', 'search', 'webhooks'].map((name) =>
    mapIn(value, name),
  )
  const isSound =
    value instanceof Map &&
    DATABASE_STATES.includes(textIn(database, 'state')) &&
    isTime(textIn(value, 'startedAt')) &&
    isCount(feed?.get('lagMs'))
  if (!isSound) return `no status: ${startOf(response.body)}`
  const percent = search?.get('foundPercent')
  const isWhole = percent instanceof Literal && percent.text === '100'
  if (search && (!isCount(percent) || search.get('isComplete') !== isWhole))
    return `no search: ${startOf(response.body)}`
  const counts = webhooks ? [...webhooks.values()] : []
  const areCounts = counts.every(isCount) && (!value.has('expiringKeys') || isCount(value.get('expiringKeys')))
  return areCounts ? undefined : `no counts: ${startOf(response.body)}`
}

function isListedKey(value: Json) {
  if (!(value instanceof Map) || !FIELDS.every((name) => value.has(name)) || !hasNames(value)) return false
  const scopes = value.get('scopes')
  const times = ['expiresAt', 'lastUsedAt'].map((name) => value.get(name))
  return (
    [...value.keys()].every((name) => FIELDS.includes(name) || SOMETIMES.includes(name)) &&
    ['live', 'test'].includes(textIn(value, 'mode')) &&
    STATES.includes(textIn(value, 'state')) &&
    Array.isArray(scopes) &&
    isTime(textIn(value, 'createdAt')) &&
    times.every((time) => time === null || (typeof time === 'string' && isTime(time))) &&
    COUNTS.every((name) => isCount(value.get(name)))
  )
}

/** Each once, and no text or hash of a key. */
function checkIds(keys: Json[], body: Buffer) {
  if (new Set(keys.map((key) => textIn(key, 'id'))).size < keys.length) return 'a list that contains a key twice'
  return /petk_(?:live|test)_|[0-9a-f]{64}/.test(body.toString()) ? 'a list that shows a key, or its hash' : undefined
}

function hasNames(value: Map<string, Json>) {
  return KEY_ID.test(textIn(value, 'id')) && typeof value.get('name') === 'string'
}

function isCount(value: Json | undefined) {
  return value instanceof Literal && /^(?:0|[1-9][0-9]*)$/.test(value.text)
}

function mapIn(value: Json, name: string) {
  const found = value instanceof Map ? value.get(name) : undefined
  return found instanceof Map ? found : undefined
}

function textIn(value: Json | undefined, name: string) {
  const text = value instanceof Map ? value.get(name) : undefined
  return typeof text === 'string' ? text : ''
}
