import { randomBase62 } from './key-format.ts'

const PREFIX = 'wh_'
const TEXT = /^wh_[0-9A-Za-z]{20}$/

export function newWebhookId() {
  return PREFIX + randomBase62(20)
}

/** Undefined for text that is not the id of a webhook. */
export function parseWebhookId(text: string) {
  return TEXT.test(text) ? text : undefined
}
