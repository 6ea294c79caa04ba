import { serviceStatus, webhooks } from './api.ts'
import { can } from './session.ts'

/** All that the key may read of how the store is doing. */
export async function readHealth(signal: AbortSignal) {
  const [status, hooks] = await Promise.all([
    can('status:read') ? serviceStatus({ signal }) : undefined,
    can('webhooks:manage') ? webhooks.list({ signal }) : undefined,
  ])
  return { status, hooks }
}

/** Whether that is all there is to know. */
export const seesAll = () => can('status:read') && can('webhooks:manage')
