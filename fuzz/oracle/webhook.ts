import { type Json, Literal } from './json.ts'

const ID = /^wh_[0-9A-Za-z]{20}$/
const SECRET = /^whsec_[0-9A-Za-z+/]{43}=$/
const FIELDS = ['id', 'url', 'types', 'state', 'createdAt', 'sequence', 'behind']
const SOMETIMES = [
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
  return (
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
  return textOf(value.get('eventId')).startsWith('evt_') && duration instanceof Literal && /^\d+$/.test(duration.text)
}

function textOf(value: Json | undefined) {
  return typeof value === 'string' ? value : ''
}
