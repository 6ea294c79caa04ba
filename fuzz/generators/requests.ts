import fc from 'fast-check'
import type { Request } from '../request.ts'
import { anyBody, goodBody } from './bodies.ts'
import {
  anyCategory,
  anyCondition,
  categoriesTarget,
  categoryTarget,
  countTarget,
  statusCountsTarget,
} from './categories.ts'
import { anyPatch } from './changes.ts'
import { conditionOn } from './conditions.ts'
import { eventsTarget } from './events.ts'
import {
  authorization,
  contentType,
  GOOD_KEY,
  type Header,
  host,
  idempotencyKey,
  otherHeaders,
  patchType,
} from './headers.ts'
import { anyOrder, closingTarget, ordersTarget, orderTarget, periodsTarget, placeTarget } from './orders.ts'
import { changedTarget, collectionTarget, keysTarget, listTarget, otherTarget, petTarget } from './targets.ts'
import {
  anyRotation,
  anyWebhook,
  anyWebhookPatch,
  attemptsTarget,
  pingTarget,
  retryTarget,
  rotateTarget,
  webhooksTarget,
  webhookTarget,
} from './webhooks.ts'
import { oneOfWords } from './words.ts'

const casing = fc.constantFrom<(name: string) => string>(
  (name) => name,
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
)
const chunks = fc.option(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }), { freq: 4 })
const version = fc.oneof({ weight: 40, arbitrary: fc.constant('1.1' as const) }, fc.constant('1.0' as const))

function requestFor(
  method: fc.Arbitrary<string>,
  target: fc.Arbitrary<string>,
  body: fc.Arbitrary<string | null>,
  type = contentType,
  conditions: fc.Arbitrary<Header[]> = fc.constant([]),
): fc.Arbitrary<Request> {
  return fc
    .record({
      method,
      target,
      body,
      version,
      host,
      authorization,
      type,
      conditions,
      idempotencyKey,
      otherHeaders,
      casing,
      chunks,
    })
    .map((given) => {
      const described = given.body === null ? [] : given.type
      const headers = [
        ...given.host,
        ...given.authorization,
        ...described,
        ...given.idempotencyKey,
        ...given.conditions,
        ...given.otherHeaders,
      ]
      const request: Request = {
        method: given.method,
        target: given.target,
        version: given.version,
        headers: headers.map(([name, value]) => [given.casing(name), value]),
      }
      if (given.body === null) return request
      const withBody = { ...request, body: given.body }
      // HTTP/1.0 has no chunks.
      return given.chunks && given.version === '1.1' ? { ...withBody, chunks: given.chunks } : withBody
    })
}

const create = fc.constant('POST')
const read = oneOfWords('GET GET GET GET HEAD')
const anyMethod = oneOfWords('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND QUERY M-SEARCH PURGE')
const noBody = fc.constant(null)
// Some pets are changed often.
const changed = fc.oneof(fc.nat(5), fc.nat(99))
const update = changed.chain((i) =>
  requestFor(fc.constant('PATCH'), changedTarget(i), anyPatch, patchType, conditionOn(i)),
)
const remove = changed.chain((i) =>
  requestFor(fc.constant('DELETE'), changedTarget(i), noBody, contentType, conditionOn(i)),
)

/** Any request that is sound HTTP: most ask for an operation and are wrong in one place at most. */
export const anyRequest = fc.oneof(
  { weight: 40, arbitrary: requestFor(create, collectionTarget, anyBody) },
  { weight: 26, arbitrary: requestFor(read, listTarget, noBody) },
  { weight: 20, arbitrary: requestFor(read, petTarget, noBody) },
  { weight: 6, arbitrary: requestFor(read, otherTarget, noBody) },
  { weight: 26, arbitrary: update },
  { weight: 4, arbitrary: remove },
  { weight: 20, arbitrary: requestFor(create, placeTarget, anyOrder) },
  { weight: 12, arbitrary: requestFor(create, closingTarget, noBody) },
  { weight: 8, arbitrary: requestFor(read, orderTarget, noBody) },
  { weight: 10, arbitrary: requestFor(read, ordersTarget, noBody) },
  { weight: 14, arbitrary: requestFor(read, eventsTarget, noBody) },
  { weight: 6, arbitrary: requestFor(read, countTarget, noBody) },
  { weight: 3, arbitrary: requestFor(read, statusCountsTarget, noBody) },
  { weight: 6, arbitrary: requestFor(read, periodsTarget, noBody) },
  { weight: 6, arbitrary: requestFor(read, categoriesTarget, noBody) },
  { weight: 8, arbitrary: requestFor(fc.constant('PUT'), categoryTarget, anyCategory, contentType, anyCondition) },
  { weight: 3, arbitrary: requestFor(fc.constant('DELETE'), categoryTarget, noBody, contentType, anyCondition) },
  { weight: 4, arbitrary: requestFor(read, keysTarget, noBody) },
  { weight: 8, arbitrary: requestFor(create, webhooksTarget, anyWebhook) },
  { weight: 8, arbitrary: requestFor(fc.constant('PATCH'), webhookTarget, anyWebhookPatch, patchType) },
  { weight: 4, arbitrary: requestFor(create, rotateTarget, anyRotation) },
  { weight: 2, arbitrary: requestFor(create, fc.oneof(pingTarget, retryTarget), noBody) },
  { weight: 6, arbitrary: requestFor(read, fc.oneof(webhooksTarget, webhookTarget, attemptsTarget), noBody) },
  // Often enough that there is room for new ones.
  { weight: 6, arbitrary: requestFor(fc.constant('DELETE'), webhookTarget, noBody) },
  {
    weight: 8,
    arbitrary: requestFor(anyMethod, fc.oneof(collectionTarget, otherTarget), fc.oneof(noBody, anyBody)),
  },
  {
    weight: 4,
    arbitrary: requestFor(
      anyMethod,
      fc.oneof(
        changedTarget(0),
        orderTarget,
        closingTarget,
        ordersTarget,
        eventsTarget,
        webhookTarget,
        rotateTarget,
        countTarget,
        statusCountsTarget,
        periodsTarget,
        categoryTarget,
      ),
      fc.oneof(noBody, anyBody),
    ),
  },
)

const PLAIN = { version: '1.1' as const, headers: [['Host', 'x'], ...GOOD_KEY] satisfies Header[] }

/** Requests that are right in every way but perhaps their name, for what is about something else. */
export const plainRequest: fc.Arbitrary<Request> = fc.oneof(
  goodBody.map((body) => ({ ...PLAIN, method: 'POST', target: '/v1/pets', body })),
  fc.nat(99).map((i) => ({ ...PLAIN, method: 'GET', target: `/v1/pets/{{pet${i}}}` })),
  fc.nat(9).map((i) => ({ ...PLAIN, method: 'PATCH', target: `/v1/pets/{{pet${i}}}`, body: `{"name":"${i}"}` })),
  fc.nat(9).map((i) => ({ ...PLAIN, method: 'POST', target: '/v1/store/orders', body: `{"petId":{{available${i}}}}` })),
  fc.nat(9).map((i) => ({ ...PLAIN, method: 'POST', target: `/v1/store/orders/{{open${i}}}/cancel` })),
  oneOfWords('/v1/pets?limit=2 /v1/events?from=now /v1/events?limit=3 /livez /v1/pets?status=sold&limit=1').map(
    (target) => ({
      ...PLAIN,
      method: 'GET',
      target,
    }),
  ),
  fc.constant({ ...PLAIN, method: 'HEAD', target: '/v1/pets?limit=1' }),
)
