import { CURSOR, MISSING_ID, WEBHOOK_ID } from '../../src/http/webhooks/examples.ts'
import { patchJson, postJson, type startApp } from './app.ts'
import { createTestKey } from './factories.ts'
import { insertWebhook, MASTER_SECRET, RECEIVER, WEBHOOKS, webhookCalls } from './webhooks.ts'

type App = Awaited<ReturnType<typeof startApp>>

/** The settings of a service that can create webhooks. */
export const WITH_WEBHOOKS = { webhookMasterSecret: MASTER_SECRET }

/** How to provoke each error that only operations on webhooks have, as the document words it. */
export async function webhookErrors({ call, pool }: App, full: App, unconfigured: App) {
  await insertWebhook(pool, exampleWebhook(WEBHOOK_ID))
  for (let i = 10; i < 30; i++) await insertWebhook(full.pool, exampleWebhook(`wh_full0000000000000${i}0`))
  const path = `${WEBHOOKS}/${WEBHOOK_ID}`
  const rotate = `${path}/rotate`
  const text = { 'content-type': 'text/plain' }
  const notFound = (action: string, init: RequestInit) => ({
    '404 webhook_not_found': () => call(`${WEBHOOKS}/${MISSING_ID}${action}`, init),
  })
  const faults = (at: string, send: (body: unknown, headers?: Record<string, string>) => RequestInit) => ({
    '400 invalid_json': () => call(at, send('{')),
    '413 payload_too_large': () => call(at, send(' '.repeat(65_537))),
    '415 unsupported_media_type': () => call(at, send('x', text)),
  })

  return {
    createWebhook: {
      ...faults(WEBHOOKS, postJson),
      '400 invalid_body': () => call(WEBHOOKS, postJson({ url: 'http://shop.example/hooks' })),
      '400 invalid_idempotency_key': () => call(WEBHOOKS, postJson({ url: RECEIVER }, { 'idempotency-key': '"' })),
      '409 idempotency_in_progress': whileItsKeyIsBeingStored,
      '422 idempotency_key_reused': async () => {
        const create = (url: string) => call(WEBHOOKS, postJson({ url }, { 'idempotency-key': 'reused' }))
        await create(RECEIVER)
        return create('https://other.example/hooks')
      },
      '409 too_many_webhooks': () => webhookCalls(full.call).create(),
      '503 webhooks_not_configured': () => webhookCalls(unconfigured.call).create(),
    },
    getWebhook: notFound('', { method: 'GET' }),
    updateWebhook: {
      ...faults(path, patchJson),
      ...notFound('', patchJson({ state: 'paused' })),
      '400 invalid_body': () => call(path, patchJson({ colour: 'red' })),
      // Of another store: it has the number of an event that is not there.
      '410 cursor_expired': () => call(path, patchJson({ cursor: CURSOR })),
    },
    deleteWebhook: notFound('', { method: 'DELETE' }),
    rotateWebhookSecret: {
      ...faults(rotate, postJson),
      ...notFound('/rotate', postJson({})),
      '400 invalid_body': () => call(rotate, postJson({ overlap: -1 })),
      '503 webhooks_not_configured': () => webhookCalls(unconfigured.call).rotate(MISSING_ID),
    },
    pingWebhook: notFound('/ping', { method: 'POST' }),
    retryWebhook: {
      ...notFound('/retry', { method: 'POST' }),
      '409 nothing_to_retry': () => call(`${path}/retry`, { method: 'POST' }),
    },
    listWebhookAttempts: notFound('/attempts', { method: 'GET' }),
  }

  /** Another process has locked the key, for longer than a request may wait. */
  async function whileItsKeyIsBeingStored() {
    const own = await createTestKey(pool)
    const other = await pool.connect()
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(hashtextextended($1, hashtextextended($2, 0)))', ['slow', own.id])
    const answer = await call(WEBHOOKS, { ...postJson({ url: RECEIVER }, { 'idempotency-key': 'slow' }), key: own.key })
    await other.query('rollback')
    other.release()
    return answer
  }
}

function exampleWebhook(id: string) {
  return { id, url: RECEIVER, types: null, state: 'active', createdAt: new Date().toISOString(), sequence: '0' }
}
