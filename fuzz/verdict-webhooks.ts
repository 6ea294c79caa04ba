import type { Expectation } from './oracle/expectation.ts'
import type { Json } from './oracle/json.ts'
import { isAttempt, isWebhook } from './oracle/webhook.ts'
import type { HttpResponse } from './response.ts'
import type { Store } from './store.ts'
import { shown } from './verdict-pets.ts'

const LOCATION = /\/v1\/webhooks\/(wh_[0-9A-Za-z]{20})$/
const MOST = 20
const MOST_ATTEMPTS = 100

/** A webhook is whole, and shows its secret only where that is new. */
export function checkWebhooks(
  kind: NonNullable<Expectation['webhooks']>,
  { status, headers: given, body }: HttpResponse,
  value: Json,
  store: Store,
) {
  if (kind === 'list' || kind === 'attempts') {
    const isWhole = kind === 'list' ? (item: Json) => isWebhook(item, false) : isAttempt
    if (!Array.isArray(value) || !value.every(isWhole))
      return `a list of webhooks or attempts that is none: ${shown(body)}`
    const most = kind === 'list' ? MOST : MOST_ATTEMPTS
    return value.length > most ? `a list of ${value.length} where ${most} is the most` : undefined
  }
  if (!isWebhook(value, kind !== 'shown')) return `a ${status} that is not the webhook: ${shown(body)}`
  if (kind !== 'new') return undefined
  const [, id] = LOCATION.exec(given.get('location') ?? '') ?? []
  if (id === undefined || !(value instanceof Map) || value.get('id') !== id)
    return `201: Location is ${given.get('location')}`
  return store.keepWebhook(id) ? undefined : `201: the id ${id} was given before`
}
