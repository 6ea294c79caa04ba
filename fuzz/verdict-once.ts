import { headers } from './request.ts'
import { type Shown, startOf } from './shown.ts'

/** With an Idempotency-Key that was used before, the first response is repeated byte for byte. */
export function checkReplay({ request, response, store }: Shown): { isReplay: boolean; fault?: string } {
  const key = headers(request, 'idempotency-key').join()
  const first = store.firstWith(key)
  const replayed = response.headers.get('idempotent-replayed')
  const isReplay = replayed === 'true'
  if (isReplay !== (first !== undefined)) return { isReplay, fault: `201: Idempotent-Replayed is ${replayed}` }
  const body = response.body.toString()
  if (isReplay && body !== first)
    return { isReplay, fault: `not the response ${first} again: ${startOf(response.body)}` }
  if (key !== '') store.keepFirst(key, body)
  return { isReplay }
}
