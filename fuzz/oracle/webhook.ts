import { type Json, Literal } from './json.ts'

/** Each is a byte at least. */
const MAX_BODY = 1_024
const ID = /^wh_[0-9A-Za-z]{20}$/
const SECRET = /^whsec_[0-9A-Za-z+/]{43}=$/
const FIELDS = ['id', 'url', 'types', 'state', 'createdAt', 'sequence', 'behind']
const MAX_NAME = 100
const SOMETIMES = [
  'name',
  'reason',
  'createdBy',
  'changedBy',
  'failingSince',
  'attempts',
  'nextAttemptAt',
  'lastAttempt',
  'oldSecretEndsAt',
]

/** Whether this is a webhook as it is shown: with its secret only where that is new. */
export function isWebhook(value: Json, hasSecret: boolean) {
  if (!(value instanceof Map) || !FIELDS.every((name) => value.has(name))) return false
  const names = [...FIELDS, ...SOMETIMES, ...(hasSecret ? ['secret'] : [])]
  if (![...value.keys()].every((name) => names.includes(name))) return false
  if (hasSecret !== SECRET.test(textOf(value.get('secret')))) return false
  const behind = value.get('behind')
  const name = value.get('name') ?? 'x'
  return (
    isText(name, MAX_NAME) &&
    ID.test(textOf(value.get('id'))) &&
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
  const body = value.get('responseBody') ?? 'x'
  return (
    textOf(value.get('eventId')).startsWith('evt_') &&
    duration instanceof Literal &&
    /^\d+$/.test(duration.text) &&
    isText(body, MAX_BODY)
  )
}

function isText(value: Json, max: number) {
  return typeof value === 'string' && value !== '' && !value.includes('\0') && Array.from(value).length <= max
}

function textOf(value: Json | undefined) {
  return typeof value === 'string' ? value : ''
}
