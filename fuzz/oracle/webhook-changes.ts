import type { Request } from '../request.ts'
import { readBody } from './body.ts'
import type { Expectation, Knowledge, Reject } from './expectation.ts'
import type { Json } from './json.ts'
import { isWebhookId, judgeNewWebhook, judgeRotation, judgeWebhookPatch } from './webhook.ts'

const PATCH_TYPES = ['application/merge-patch+json', 'application/json']
const INVALID: Expectation = { statuses: [400], codes: ['invalid_body'] }
const NOT_FOUND: Expectation = { statuses: [404], codes: ['webhook_not_found'] }

/** What an operation on webhooks returns. Other requests create and delete them meanwhile: one with an id may be gone. */
export function judgeWebhooks(
  operationId: string,
  request: Request,
  parameter: string | undefined,
  known: Knowledge,
  reject: Reject,
): Expectation[] | undefined {
  switch (operationId) {
    case 'listWebhooks':
      return [{ statuses: [200], webhooks: 'list' }]
    case 'createWebhook': {
      const made: Expectation[] = [
        { statuses: [201], webhooks: 'new' },
        { statuses: [409], codes: ['too_many_webhooks'] },
      ]
      return withBody(request, ['application/json'], reject, judgeNewWebhook, made)
    }
    case 'getWebhook':
      return ofOne(parameter, { statuses: [200], webhooks: 'shown' })
    case 'updateWebhook':
      return judgeUpdate(request, parameter, known, reject)
    case 'deleteWebhook':
      return ofOne(parameter, { statuses: [204] })
    case 'rotateWebhookSecret': {
      const rotated = ofOne(parameter, { statuses: [200], webhooks: 'rotated' })
      return withBody(request, ['application/json'], reject, judgeRotation, rotated)
    }
    case 'pingWebhook':
      return ofOne(parameter, { statuses: [202] })
    case 'listWebhookAttempts':
      return ofOne(parameter, { statuses: [200], webhooks: 'attempts' })
    default:
      return undefined
  }
}

function judgeUpdate(request: Request, parameter: string | undefined, known: Knowledge, reject: Reject) {
  let mayHaveExpired = false
  const judgeCursor = (cursor: string) => {
    const walk = known.walkOf(cursor)
    if (walk === undefined) mayHaveExpired = true
    if (walk === undefined) return 'open'
    return walk === 'feed' ? 'good' : 'bad'
  }
  const changed = ofOne(parameter, { statuses: [200], webhooks: 'shown' })
  const outcomes = withBody(request, PATCH_TYPES, reject, (value) => judgeWebhookPatch(value, judgeCursor), changed)
  // A cursor that the service has not returned to this run is none, or has expired. It may be one of a page that was not read.
  return mayHaveExpired ? [...outcomes, { statuses: [410], codes: ['cursor_expired'] }] : outcomes
}

function ofOne(parameter: string | undefined, outcome: Expectation): Expectation[] {
  return isWebhookId(parameter) ? [outcome, NOT_FOUND] : [NOT_FOUND]
}

function withBody(
  request: Request,
  types: string[],
  reject: Reject,
  judge: (value: Json) => 'good' | 'bad' | 'open',
  outcomes: Expectation[],
): Expectation[] {
  const body = readBody(request, types, reject)
  if (!('value' in body)) return [body]
  const verdict = judge(body.value)
  if (verdict === 'bad') return [INVALID]
  return verdict === 'open' ? [...outcomes, INVALID] : outcomes
}
