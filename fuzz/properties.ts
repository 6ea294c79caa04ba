import type { Stream } from './generators/streams.ts'
import { headers, judge } from './oracle/request.ts'
import { encode, fill, fillText, type Request } from './request.ts'
import type { HttpResponse } from './response.ts'
import type { Store } from './store.ts'
import { checkResponse } from './verdict.ts'
import type { Wire } from './wire.ts'

/** One thing to try: a request by itself, or the bytes of a whole connection. */
export type Case = { request: Request } | { stream: Stream }

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

export async function tryCase(session: Session, given: Case) {
  return 'request' in given ? tryRequest(session, given.request) : tryStream(session, given.stream)
}

/** The response is the one that the contract demands; and what was created reads back equal, both ways. */
async function tryRequest(session: Session, template: Request): Promise<Violation | undefined> {
  const request = fill(template, session.store)
  const { response, fault } = await sendOne(session, request)
  if (fault !== undefined) return { message: fault, sent: [{ requests: [request] }] }
  const id = response && createdId(response)
  if (id === undefined) return undefined
  const twice = await repeat(session, request)
  if (twice) return twice

  const requests = [`/v1/pets/${id}`, `/v1/pets?id=${id}`].map((target) => plain(target, session.store.key))
  const { fault: lost } = await send(session, { requests, end: false, cuts: [] })
  return lost === undefined ? undefined : { message: lost, sent: [{ requests: [request] }, { requests }] }
}

/** A create with a key returns the same pet when it is repeated; another pet with this key is rejected. */
async function repeat(session: Session, request: Request): Promise<Violation | undefined> {
  if (headers(request, 'idempotency-key').length === 0) return undefined
  for (const again of [request, { ...request, body: ANOTHER_PET }]) {
    const { fault } = await sendOne(session, again)
    if (fault !== undefined) return { message: fault, sent: [{ requests: [request] }, { requests: [again] }] }
  }
  return undefined
}

/** Each sound request gets its response, in order; then the broken bytes are rejected and the connection is closed. */
async function tryStream(session: Session, template: Stream): Promise<Violation | undefined> {
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
async function send({ wire, store }: Session, { requests, broken, end, cuts }: Stream) {
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
    if (request) return checkResponse(request, judge(request, store), response, store, sentAt)
    const due = { statuses: [broken?.status ?? 0], codes: [broken?.code ?? ''], bodyUnread: true }
    return checkResponse(NO_REQUEST, due, response, store, sentAt)
  })
  const first = faults.find((found) => found !== undefined) ?? fault
  const ms = Math.round(performance.now() - sentAt)
  return { responses, fault: first !== undefined && ms > SLOW_MS ? `after ${ms} ms, ${first}` : first }
}

/** The id of the pet that a response has confirmed, if it is that. */
export function createdId({ status, headers: given }: HttpResponse) {
  return status === 201 ? BigInt(given.get('location')?.split('/').at(-1) ?? 0) : undefined
}

function toBytes(request: Request) {
  const { head, body } = encode(request)
  return head + body
}

function plain(target: string, key: string): Request {
  return {
    method: 'GET',
    target,
    version: '1.1',
    headers: [
      ['Host', 'x'],
      ['Authorization', `Bearer ${key}`],
    ],
  }
}

// Worth violationOf, because it may be the cause.
const SLOW_MS = 1_000
const ANOTHER_PET = '{"name":"another","categoryId":1}'
const NO_REQUEST: Request = { method: 'GET', target: '', version: '1.1', headers: [] }
