import { changeBy, type PetChange, worldAfter } from './oracle/change.ts'
import { asEvent } from './oracle/event.ts'
import { readJson } from './oracle/json.ts'
import { asPetRecord, sameRecord } from './oracle/pet-record.ts'
import type { Window, World } from './oracle/world.ts'
import { createdId, historyOf, orderIn, type Session, sendOne, toBytes, type Violation } from './properties.ts'
import { fill, headers, plainRequest, type Request } from './request.ts'
import type { HttpResponse } from './response.ts'
import { checkForm } from './verdict.ts'
import { isPast } from './verdict-events.ts'

/** Changes of one new pet that are sent at the same time. */
export interface Race {
  /** Whether an order holds the pet. */
  held: boolean
  /** `{{pet}}` and `{{order}}` are its own. */
  requests: { method: string; path: string; body?: string; ifMatch?: string }[]
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
  const orderId = placed?.response && orderIn(placed.response)
  if (held && orderId === undefined) return violation(placed?.fault ?? 'the pet of a race was not ordered', sent)

  const racing = requests.map(({ method, path, body, ifMatch }) => {
    const own = (text: string) =>
      text.replaceAll('{{pet}}', String(petId)).replaceAll('{{order}}', orderId ?? 'ord_none')
    const condition: Request['headers'] = ifMatch === undefined ? [] : [['If-Match', ifMatch]]
    return fill(plainRequest(method, own(path), condition, body === undefined ? undefined : own(body)), store)
  })
  const message = await store.changing([petId], () => run(session, petId, racing))
  if (message === undefined) return undefined
  store.forget(petId)
  return violation(message, [...sent, ...racing])
}

interface Answered {
  change: PetChange
  ifMatch: string | undefined
  response: HttpResponse
}

async function run(session: Session, petId: bigint, racing: Request[]) {
  const { store } = session
  const before = store.world(petId)
  // Another request has had a response that was wrong, which has been reported.
  if (!before) return undefined
  const from = performance.now()
  const responses = await Promise.all(racing.map((request) => exchange(session, request)))
  const after = await exchange(session, fill(plainRequest('GET', `/v1/pets?view=full&id=${petId}`), store))
  const history = await exchange(session, fill(plainRequest('GET', historyOf(petId)), store))
  const succeeded: Answered[] = []
  for (const [i, request] of racing.entries()) {
    const response = responses[i]
    if (!response) return 'a response to a race did not arrive'
    const fault = checkForm(request, response, store)
    if (fault !== undefined) return fault
    const change = changeBy(request, store)
    if (change && response.status < 300) succeeded.push({ change, ifMatch: headers(request, 'if-match')[0], response })
  }
  if (!after || !history) return 'the pet of a race could not be read'
  const world = search(before, succeeded, [after, history], { from, to: performance.now() })
  if (world) store.keep(world)
  const statuses = racing.map(({ method, target }, i) => `${method} ${target} ${responses[i]?.status}`)
  return world
    ? undefined
    : `no order of these changes explains the responses: ${statuses.join(', ')}, then ${after.body.toString()} ${history.body.toString()}`
}

/** What is so after all of them, in an order that explains each response and the state that was read last. */
function search(
  world: World,
  left: Answered[],
  after: [pet: HttpResponse, history: HttpResponse],
  window: Window,
): World | undefined {
  if (left.length === 0) return isShown(world, after) ? world : undefined
  for (const [i, { change, ifMatch = '*', response }] of left.entries()) {
    if (ifMatch !== '*' && ifMatch !== `"${world.pet?.version}"`) continue
    const next = worldAfter(change, response, world, window)
    const found = typeof next === 'string' ? undefined : search(next, left.toSpliced(i, 1), after, window)
    if (found) return found
  }
  return undefined
}

function isShown(world: World, [after, history]: [pet: HttpResponse, history: HttpResponse]) {
  const { pet } = world
  const [item] = itemsOf(after)
  const record = item === undefined ? undefined : asPetRecord(item)
  const isNow = pet && record ? sameRecord(pet, record) : !pet && item === undefined
  const events = itemsOf(history).flatMap((event) => asEvent(event) ?? [])
  return isNow && isPast(world, events)
}

function itemsOf({ body }: HttpResponse) {
  const list = readJson(body)
  return Array.isArray(list) ? list : []
}

async function exchange({ wire }: Session, request: Request): Promise<HttpResponse | undefined> {
  const { responses } = await wire.exchange({ bytes: toBytes(request), methods: [request.method] })
  return responses[0]
}

function violation(message: string, requests: Request[]): Violation {
  return { message, sent: requests.map((request) => ({ requests: [request] })) }
}
