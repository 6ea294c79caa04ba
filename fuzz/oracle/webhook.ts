import { type Json, Literal } from './json.ts'
import { int64 } from './new-pet.ts'

/** What is known of a value before the service has seen it: it must accept it, must reject it, or may do either. */
type Verdict = 'good' | 'bad' | 'open'

const TYPES = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'order.placed',
  'order.completed',
  'order.cancelled',
  'order.expired',
  'pets.imported',
]
const MAX_URL = 2_048
const MAX_OVERLAP = 604_800n
const ID = /^wh_[0-9A-Za-z]{20}$/
const SECRET = /^whsec_[0-9A-Za-z+/]{43}=$/
const GOOD_URL = /^https:\/\/[a-z0-9]+(?:\.[a-z0-9]+)*\.example(?::(?<port>\d+))?(?:[/?][\w/?&=.~-]*)?$/
// Private in whatever way they are written, and nowhere allowed. A service for development allows this machine.
const PRIVATE =
  /^https?:\/\/(?:10\.|192\.168\.|172\.16\.|169\.254\.|100\.64\.|224\.0\.|0\.|3232235521|\[fd|\[fe80:|\[2001:db8:|\[64:ff9b:|\[::ffff:)/
const FIELDS = ['id', 'url', 'types', 'state', 'createdAt', 'sequence', 'behind']
const SOMETIMES = ['failingSince', 'attempts', 'nextAttemptAt', 'lastAttempt', 'oldSecretEndsAt']

export const isWebhookId = (text: string | undefined) => ID.test(text ?? '')

export function judgeNewWebhook(value: Json): Verdict {
  if (!(value instanceof Map)) return 'bad'
  return worst(judgeUrl(value.get('url')), value.has('types') ? judgeTypes(value.get('types')) : 'good')
}

/** `cursor` is judged by its caller, who knows which ones there are. */
export function judgeWebhookPatch(value: Json, cursor: (text: string) => Verdict): Verdict {
  if (!(value instanceof Map)) return 'bad'
  const verdicts: Verdict[] = []
  if (value.has('url')) verdicts.push(judgeUrl(value.get('url')))
  if (value.has('types')) verdicts.push(judgeTypes(value.get('types')))
  if (value.has('state')) verdicts.push(['active', 'paused'].includes(textOf(value.get('state'))) ? 'good' : 'bad')
  const given = value.get('cursor')
  if (given !== undefined) verdicts.push(typeof given === 'string' ? cursor(given) : 'bad')
  return verdicts.length === 0 ? 'bad' : worst(...verdicts)
}

export function judgeRotation(value: Json): Verdict {
  if (!(value instanceof Map)) return 'bad'
  const given = value.get('overlap')
  if (given === undefined) return 'good'
  const overlap = int64(given)
  if (overlap === undefined || overlap < 0n || overlap > MAX_OVERLAP) return 'bad'
  // The contract does not say whether 9e2 is a number of seconds.
  return given instanceof Literal && /^[0-9]+$/.test(given.text) ? 'good' : 'open'
}

function worst(...verdicts: Verdict[]): Verdict {
  if (verdicts.includes('bad')) return 'bad'
  return verdicts.includes('open') ? 'open' : 'good'
}

function judgeUrl(value: Json | undefined): Verdict {
  if (typeof value !== 'string' || value === '' || value.length > 2 * MAX_URL) return 'bad'
  if (/[\p{Cc}\p{Z}#]/u.test(value) || !value.isWellFormed() || !/^https?:/i.test(value)) return 'bad'
  if (/^https?:\/\/[\w.:-]*@/i.test(value) || PRIVATE.test(value)) return 'bad'
  const { port = '443' } = GOOD_URL.exec(value)?.groups ?? { port: '0' }
  const isGood = (port === '443' || Number(port) >= 1_024) && Number(port) <= 65_535 && !port.startsWith('0')
  return isGood && value.length <= MAX_URL ? 'good' : 'open'
}

function judgeTypes(value: Json | undefined): Verdict {
  if (value === null) return 'good'
  if (!Array.isArray(value) || value.length === 0) return 'bad'
  const known = value.every((item) => TYPES.includes(textOf(item)))
  return known && new Set(value).size === value.length ? 'good' : 'bad'
}

/** Whether this is a webhook as it is shown: with its secret only where that is new. */
export function isWebhook(value: Json, hasSecret: boolean) {
  if (!(value instanceof Map) || !FIELDS.every((name) => value.has(name))) return false
  const names = [...FIELDS, ...SOMETIMES, ...(hasSecret ? ['secret'] : [])]
  if (![...value.keys()].every((name) => names.includes(name))) return false
  if (hasSecret !== SECRET.test(textOf(value.get('secret')))) return false
  const behind = value.get('behind')
  return (
    isWebhookId(textOf(value.get('id'))) &&
    ['active', 'paused', 'disabled'].includes(textOf(value.get('state'))) &&
    /^\d{16}$/.test(textOf(value.get('sequence'))) &&
    behind instanceof Literal &&
    /^\d+$/.test(behind.text)
  )
}

/** Whether this is an attempt as it is shown. */
export function isAttempt(value: Json) {
  if (!(value instanceof Map)) return false
  const duration = value.get('durationMs')
  return textOf(value.get('eventId')).startsWith('evt_') && duration instanceof Literal && /^\d+$/.test(duration.text)
}

function textOf(value: Json | undefined) {
  return typeof value === 'string' ? value : ''
}
