import { asEvent } from './oracle/event.ts'
import type { Knowledge } from './oracle/expectation.ts'
import { readJson } from './oracle/json.ts'
import { asPetRecord, sameRecord } from './oracle/pet-record.ts'
import { judge } from './oracle/request.ts'
import type { Window, World } from './oracle/world.ts'
import { createdId, historyOf, orderIn, type Session, sendOne, toBytes, type Violation } from './properties.ts'
import { fill, plainRequest, type Request } from './request.ts'
import type { HttpResponse } from './response.ts'
import { faultOf } from './verdict.ts'
import { isPast } from './verdict-events.ts'

/** Changes of one new pet that are sent at the same time. */
export interface Race {
  /** Whether an order holds the pet. */
  held: boolean
  /** `{{pet}}` and `{{order}}` are its own. */
  requests: { method: string; path: string; body?: string; ifMatch?: string }[]
}

interface Answered {
  request: Request
  response: HttpResponse
}

/** Whatever the order in which the service has carried them out: there is one in which every response is right. */
export async function tryRace(session: Session, { held, requests }: Race): Promise<Violation | undefined> {
  const { store } = session
  const sent: Request[] = []
  const prepare = async (method: string, target: string, body: string) => {
    const request = fill(plainRequest(method, target, [], body), store)
    sent.push(request)
    const { response, fault } = await sendOne(session, request)
    return { response, fault }
  }
  const created = await prepare('POST', '/v1/pets', '{"name":"raced","categoryId":1,"status":"available"}')
  const petId = created.response && createdId(created.response)
  if (petId === undefined) return violation(created.fault ?? 'the pet of a race was not created', sent)
  const placed = held ? await prepare('POST', '/v1/store/orders', `{"petId":${petId}}`) : undefined
  if (placed?.fault !== undefined) return violation(placed.fault, sent)
  const orderId = (placed?.response && orderIn(placed.response)) ?? 'ord_none'

  const racing = requests.map(({ method, path, body, ifMatch }) => {
    const own = (text: string) => text.replaceAll('{{pet}}', String(petId)).replaceAll('{{order}}', orderId)
    const headers: Request['headers'] = ifMatch === undefined ? [] : [['If-Match', ifMatch]]
    return fill(plainRequest(method, own(path), headers, body === undefined ? undefined : own(body)), store)
  })
  const message = await store.changing([petId], () => run(session, petId, racing))
  if (message === undefined) return undefined
  store.forget(petId)
  return violation(message, [...sent, ...racing])
}

async function run(session: Session, petId: bigint, racing: Request[]) {
  const { store } = session
  const before = store.world(petId)
  // Another request has had a response that was wrong, which has been reported.
  if (!before) return undefined
  const from = performance.now()
  const answered = await Promise.all(racing.map((request) => exchange(session, request)))
  const after = await exchange(session, fill(plainRequest('GET', `/v1/pets?view=full&id=${petId}`), store))
  const history = await exchange(session, fill(plainRequest('GET', historyOf(petId)), store))
  const complete = answered.filter((one) => one !== undefined)
  if (!after || !history || complete.length < racing.length) return 'a response to a race did not arrive'
  const window = { from, to: performance.now() }
  const world = search(session, before, complete, [after, history], window)
  if (world) store.keep(world)
  const statuses = complete.map(({ request, response }) => `${request.method} ${request.target} ${response.status}`)
  return world
    ? undefined
    : `no order of these changes explains the responses: ${statuses.join(', ')}, then ${after.response.body.toString()} ${history.response.body.toString()}`
}

/** What is so after all of them, in an order that explains each response and the state that was read last. */
function search(
  session: Session,
  world: World,
  left: Answered[],
  after: [pet: Answered, history: Answered],
  window: Window,
): World | undefined {
  if (left.length === 0) return isShown(world, after) ? world : undefined
  const known = knowing(session, world)
  for (const [i, { request, response }] of left.entries()) {
    for (const expected of judge(request, known, window)) {
      if (faultOf(request, expected, response, session.store, window.from) !== undefined) continue
      const next = expected.next?.(response.body.length === 0 ? undefined : readJson(response.body)) ?? world
      const found = search(session, next, left.toSpliced(i, 1), after, window)
      if (found) return found
    }
  }
  return undefined
}

function isShown(world: World, [after, history]: [pet: Answered, history: Answered]) {
  const { pet } = world
  const [item] = itemsOf(after)
  const record = item === undefined ? undefined : asPetRecord(item)
  const isNow = pet && record ? sameRecord(pet, record) : !pet && item === undefined
  return (
    isNow &&
    isPast(
      world,
      itemsOf(history).flatMap((event) => asEvent(event) ?? []),
    )
  )
}

function itemsOf({ response }: Answered) {
  const list = readJson(response.body)
  return Array.isArray(list) ? list : []
}

function knowing({ store }: Session, world: World): Knowledge {
  return {
    key: store.key,
    earlierKey: store.earlierKey,
    createdBy: () => undefined,
    orderedBy: () => undefined,
    walkOf: () => undefined,
    world: () => world,
    petOf: (orderId) => (world.orders.has(orderId) ? world.petId : undefined),
    isSettled: () => false,
  }
}

async function exchange({ wire }: Session, request: Request): Promise<Answered | undefined> {
  const { responses } = await wire.exchange({ bytes: toBytes(request), methods: [request.method] })
  const [response] = responses
  return response && { request, response }
}

function violation(message: string, requests: Request[]): Violation {
  return { message, sent: requests.map((request) => ({ requests: [request] })) }
}
