import type { Stream } from './generators/streams.ts'
import { changeBy } from './oracle/change.ts'
import { canonicalInt64 } from './oracle/new-pet.ts'
import { askedBy } from './oracle/route.ts'
import { asciiWords } from './oracle/words.ts'
import type { PetState } from './oracle/world.ts'
import { encode, fill, fillText, headers, plainRequest, type Request } from './request.ts'
import type { HttpResponse } from './response.ts'
import type { Store } from './store.ts'
import { checkRejection, checkResponse } from './verdict.ts'
import type { Wire } from './wire.ts'

export interface Session {
  wire: Wire
  store: Store
}

/** What went over one connection. */
export interface Sending {
  requests: Request[]
  broken?: string
}

export interface Violation {
  message: string
  sent: Sending[]
}

/** The response is sound; and what was created or changed reads back equal, in every way. */
export async function tryRequest(session: Session, template: Request): Promise<Violation | undefined> {
  const request = fill(template, session.store)
  const { response, fault } = await sendOne(session, request)
  if (fault !== undefined) return { message: fault, sent: [{ requests: [request] }] }
  const targets = response ? whereShown(request, response, session.store) : []
  if (targets.length === 0) return undefined
  const twice = await repeat(session, request)
  if (twice) return twice

  const requests = targets.map((target) => fill(plainRequest('GET', target), session.store))
  const { fault: lost } = await send(session, { requests, end: false, cuts: [] })
  return lost === undefined ? undefined : { message: lost, sent: [{ requests: [request] }, { requests }] }
}

/** Where what a request has created or changed can be read. */
function whereShown(request: Request, response: HttpResponse, store: Store) {
  const petId = changeBy(request, store)?.petId
  const id = createdId(response) ?? (response.status < 300 ? petId : undefined)
  const order = response.status === 201 ? orderIn(response) : undefined
  const named = categoryNamedBy(request)
  return [
    ...(id === undefined ? [] : [`/v1/pets/${id}`, `/v1/pets?id=${id}`, `/v1/pets?id=${id}&view=full`, historyOf(id)]),
    ...(id === undefined || petId === undefined ? [] : [`/v1/store/orders?petId=${id}`]),
    ...(order === undefined ? [] : [`/v1/store/orders/${order}`]),
    ...(id === undefined ? [] : searchesFor(store.world(id)?.pet)),
    ...(named === undefined || response.status >= 300 ? [] : ['/v1/categories?limit=100']),
  ]
}

/** A search that must find the pet, if its name has words that are known. */
function searchesFor(pet: PetState | undefined) {
  const words = pet && asciiWords(pet.name)
  if (!words || words.length > MAX_TERMS) return []
  return [`/v1/pets?limit=100&categoryId=${pet.categoryId}&name=${encodeURIComponent(words.join(' '))}`]
}

/** The category whose name a request gives or takes. */
function categoryNamedBy(request: Request) {
  const { operation, parameter = '' } = askedBy(request)
  const isNaming = ['putCategory', 'deleteCategory'].includes(operation?.operationId ?? '')
  return isNaming ? canonicalInt64(parameter) : undefined
}

/** A create with a key returns the same when it is repeated; something else with this key is rejected. */
async function repeat(session: Session, request: Request): Promise<Violation | undefined> {
  if (headers(request, 'idempotency-key').length === 0) return undefined
  for (const again of [request, { ...request, body: ANOTHER }]) {
    const { fault } = await sendOne(session, again)
    if (fault !== undefined) return { message: fault, sent: [{ requests: [request] }, { requests: [again] }] }
  }
  return undefined
}

/** Each sound request gets its response, in order; then the broken bytes are rejected and the connection is closed. */
export async function tryStream(session: Session, template: Stream): Promise<Violation | undefined> {
  const { store } = session
  const { broken } = template
  const stream: Stream = {
    ...template,
    requests: template.requests.map((request) => fill(request, store)),
    ...(broken ? { broken: { ...broken, bytes: fillText(broken.bytes, store) } } : {}),
  }
  const { fault } = await send(session, stream)
  if (fault === undefined) return undefined
  const sending = { requests: stream.requests, ...(stream.broken ? { broken: stream.broken.bytes } : {}) }
  return { message: fault, sent: [sending] }
}

export async function sendOne(session: Session, request: Request) {
  const { responses, fault } = await send(session, { requests: [request], end: false, cuts: [] })
  return { response: responses[0], fault }
}

/** Sends it all in one go, and checks every response. */
async function send(session: Session, stream: Stream) {
  const { store } = session
  const subjects = stream.requests.flatMap((request) => changeBy(request, store)?.petId ?? [])
  const named = stream.requests.flatMap((request) => categoryNamedBy(request) ?? [])
  return store.changing(subjects, () =>
    store.categories.changing(named, async () => {
      const sent = await exchange(session, stream)
      // What a change has done is unknown where its response was wrong.
      if (sent.fault !== undefined) for (const petId of subjects) store.forget(petId)
      if (sent.fault !== undefined) for (const id of named) store.categories.keep(id, undefined)
      return sent
    }),
  )
}

async function exchange({ wire, store }: Session, { requests, broken, end, cuts }: Stream) {
  const sound = requests.map(toBytes).join('')
  const sentAt = performance.now()
  const { responses, fault } = await wire.exchange({
    bytes: sound + (broken?.bytes ?? ''),
    methods: [...requests.map(({ method }) => method), ...(broken ? ['GET'] : [])],
    // Broken bytes go in one piece: a client that still sends while it is rejected may lose the response to a reset.
    cuts: cuts.map((cut) => Math.floor((sound.length * cut) / 1_000)),
    end,
    alone: broken !== undefined || end,
  })
  const faults = responses.map((response, i) => {
    const request = requests[i]
    if (request) return checkResponse(request, response, store, sentAt)
    return broken && checkRejection(broken, response, store)
  })
  const first = faults.find((found) => found !== undefined) ?? fault
  const ms = Math.round(performance.now() - sentAt)
  return { responses, fault: first !== undefined && ms > SLOW_MS ? `after ${ms} ms, ${first}` : first }
}

/** All versions of a pet, or the first hundred. */
export function historyOf(petId: bigint) {
  return `/v1/events?petId=${petId}&limit=100`
}

const PET_LOCATION = /\/v1\/pets\/([0-9]+)$/
const ORDER_LOCATION = /\/v1\/store\/orders\/(ord_[\w-]+)$/

/** The id of the pet that a response has confirmed, if it is that. */
export function createdId({ status, headers: given }: HttpResponse) {
  const [, id] = (status === 201 && PET_LOCATION.exec(given.get('location') ?? '')) || []
  return id === undefined ? undefined : BigInt(id)
}

/** The id of the order that a response has confirmed, if it is that. */
export function orderIn({ headers: given }: HttpResponse) {
  return ORDER_LOCATION.exec(given.get('location') ?? '')?.[1]
}

export function toBytes(request: Request) {
  const { head, body } = encode(request)
  return head + body
}

const MAX_TERMS = 8
// Worth a word, because it may be the cause.
const SLOW_MS = 1_000
// A pet and an order at once.
const ANOTHER = '{"name":"another","categoryId":1,"petId":1,"expiresIn":2592000}'
