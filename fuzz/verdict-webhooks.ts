import type { Json } from './oracle/json.ts'
import { isAttempt, isWebhook } from './oracle/webhook.ts'
import { type Shown, startOf } from './shown.ts'

const LOCATION = /\/v1\/webhooks\/(wh_[0-9A-Za-z]{20})$/
const MAX_WEBHOOKS = 20
const MAX_ATTEMPTS = 100

/** A webhook is whole, and shows its secret only where that is new. */
export function checkWebhook({ value, response, store }: Shown, secretIs?: 'created' | 'rotated') {
  if (!isWebhook(value, secretIs !== undefined))
    return `a ${response.status} that is not the webhook: ${startOf(response.body)}`
  if (secretIs !== 'created') return undefined
  const location = response.headers.get('location') ?? ''
  const [, id] = LOCATION.exec(location) ?? []
  if (id === undefined || !(value instanceof Map) || value.get('id') !== id) return `201: Location is ${location}`
  const isReplay = response.headers.get('idempotent-replayed') === 'true'
  const isKnown = !store.keepWebhook(id)
  return isKnown === isReplay ? undefined : `201: the id ${id} was ${isKnown ? '' : 'not '}given before`
}

export function checkWebhookList({ value, response }: Shown, of?: 'attempts') {
  const isWhole = of === 'attempts' ? isAttempt : (item: Json) => isWebhook(item, false)
  if (!Array.isArray(value) || !value.every(isWhole))
    return `a list of webhooks or attempts that is none: ${startOf(response.body)}`
  const most = of === 'attempts' ? MAX_ATTEMPTS : MAX_WEBHOOKS
  return value.length > most ? `a list of ${value.length} where ${most} is the most` : undefined
}
