import { setTimeout as sleep } from 'node:timers/promises'
import { readJson } from './oracle/json.ts'
import { asOrder } from './oracle/order.ts'
import { createdId, historyOf, orderIn, type Session, sendOne, type Violation } from './properties.ts'
import { fill, plainRequest, type Request } from './request.ts'

/** An order that nobody ends. */
export interface Expiry {
  seconds: number
  /** What is done to the pet meanwhile: its order stays. */
  meanwhile: string | null
}

const POLL_MS = 100
// An order is expired at most 5 s after its time; this is so much later that the checks of a response must have failed before.
const GIVEN_UP_MS = 10_000

/** The order expires by itself, neither early nor late; then it can't be completed any more, and its pet can be ordered again. */
export async function tryExpiry(session: Session, { seconds, meanwhile }: Expiry): Promise<Violation | undefined> {
  const sent: Request[] = []
  let fault: string | undefined
  const send = async (method: string, target: string, body?: string) => {
    if (fault !== undefined) return undefined
    const request = fill(plainRequest(method, target, [], body), session.store)
    sent.push(request)
    const exchanged = await sendOne(session, request)
    fault = exchanged.fault
    return exchanged.response
  }
  const created = await send('POST', '/v1/pets', '{"name":"expires","categoryId":1,"status":"available"}')
  const petId = created && createdId(created)
  const body = `{"petId":${petId},"expiresIn":${seconds}}`
  const placed = await send('POST', '/v1/store/orders', body)
  const order = `/v1/store/orders/${placed && orderIn(placed)}`
  if (meanwhile !== null) await send('PATCH', `/v1/pets/${petId}`, meanwhile)

  const deadline = performance.now() + seconds * 1_000 + GIVEN_UP_MS
  let status: string | undefined = 'placed'
  while (status === 'placed' && performance.now() < deadline) {
    await sleep(POLL_MS)
    const shown = await send('GET', order)
    status = shown && asOrder(readJson(shown.body))?.status
  }
  // Each of these is checked like any other response.
  await send('GET', `/v1/pets?view=full&id=${petId}`)
  await send('POST', `${order}/complete`)
  await send('POST', '/v1/store/orders', body.replace(/}$/, ',"reference":"again"}'))
  await send('GET', order)
  await send('GET', historyOf(petId ?? 0n))
  return fault === undefined ? undefined : { message: fault, sent: [{ requests: sent }] }
}
