import assert from 'node:assert/strict'
import type pg from 'pg'
import { type Call, parseExact, postJson } from './app.ts'
import { COOKIE_NAME, signIn } from './console.ts'
import { createTestKey } from './factories.ts'
import type { startStores } from './stores.ts'
import { insertAttempts } from './webhooks.ts'

export type Side = 'live' | 'sandbox'
export const SIDES = ['live', 'sandbox'] as const
export const otherThan = (side: Side): Side => (side === 'live' ? 'sandbox' : 'live')

/** In every text that one store has, and in none of the other. */
export const MARKS: Record<Side, string> = { live: 'Lorikeet', sandbox: 'Tamarin' }

const CATEGORY = 7
const PETS = 9
/** Pets whose orders are placed, and those whose orders were completed. */
const [PLACED, COMPLETED] = [
  [2, 3, 4],
  [5, 9],
]

export interface Marked {
  key: string
  cookie: string
  /** The token in its cookie, without the store. */
  token: string
  pool: pg.Pool
  keyId: string
  /** The second one fails. */
  webhookIds: string[]
  orderIds: string[]
  /** What may be in no response to a key of the other store. */
  words: string[]
}

/** Those that only requests change: no background work. */
const TABLES = [
  'pets',
  'orders',
  'events',
  'categories',
  'webhooks',
  'webhook_attempts',
  'idempotency_keys',
  'console_sessions',
]

/** Pets, orders and categories with equal ids in both stores, and with the mark of the store in each text; and all else that has a name. */
export async function markStores({ live, sandbox, call }: Awaited<ReturnType<typeof startStores>>) {
  const marked = async (side: Side, pool: pg.Pool, mode: 'live' | 'test'): Promise<Marked> => {
    const mark = MARKS[side]
    await createTestKey(pool, { name: `${mark} till`, mode })
    const { key, id: keyId } = await createTestKey(pool, { name: `${mark} key`, mode })
    const send: Call = (path, init) => call(path, { ...init, key })
    const made = async (path: string, body: unknown, method = 'POST') => {
      const answer = await send(`/v1${path}`, { ...postJson(body), method })
      assert.ok(answer.status < 300, answer.text)
      return (answer.text === '' ? { id: '' } : parseExact(answer.text)) as { id: string }
    }
    await made(`/categories/${CATEGORY}`, { name: `${mark} category` }, 'PUT')
    await made(`/categories/${CATEGORY + 2}`, { name: `${mark} kind` }, 'PUT')
    for (let i = 1; i <= PETS; i++)
      await made('/pets', { name: `${mark} ${i}`, categoryId: CATEGORY, status: 'available' })
    const orderIds: string[] = []
    for (const petId of [...PLACED, ...COMPLETED]) {
      const order = await made('/store/orders', { petId, reference: `${mark}-${petId}` })
      orderIds.push(order.id)
    }
    for (const id of orderIds.slice(PLACED.length)) await made(`/store/orders/${id}/complete`, {})
    // So that numbers differ too.
    if (side === 'sandbox')
      for (const isCompleted of [false, true]) {
        const { id: petId } = await made('/pets', { name: mark, categoryId: CATEGORY, status: 'available' })
        const { id } = await made('/store/orders', { petId, reference: mark })
        if (isCompleted) await made(`/store/orders/${id}/complete`, {})
      }
    const webhookIds: string[] = []
    for (const name of ['first', 'second']) {
      const url = `https://${mark.toLowerCase()}.example/${name}`
      webhookIds.push((await made('/webhooks', { name: `${mark} ${name}`, url })).id)
    }
    const attempt = { at: new Date().toISOString(), eventId: '1', status: 500n, durationMs: 1n, responseBody: mark }
    for (const id of webhookIds) await insertAttempts(pool, id, [attempt])
    await pool.query(
      `update webhooks set failing_since = now(), failures = 1, next_attempt_at = now() + interval '1 hour' where id = $1`,
      [webhookIds[1]],
    )
    const { cookie, token } = await signIn(call, key)
    const words = [mark, keyId, ...webhookIds, ...orderIds]
    return { key, cookie, token: token.replace(/^test\./, ''), pool, keyId, webhookIds, orderIds, words }
  }
  return { live: await marked('live', live.pool, 'live'), sandbox: await marked('sandbox', sandbox.pool, 'test') }
}

/** What each table has. */
export async function contentOf({ pool }: Marked) {
  const columns = TABLES.map(
    (table) => `(select md5(string_agg(t::text, ',' order by t::text)) from ${table} t) as ${table}`,
  )
  const { rows } = await pool.query<Record<string, string | null>>(`select ${columns.join()}`)
  return rows[0]!
}

/** Cookies with the token of one store and the name of the other, which belong to neither. */
export function crossedCookies({ live, sandbox }: Record<Side, Marked>) {
  return [`test.${live.token}`, sandbox.token, `live.${live.token}`].map((value) => `${COOKIE_NAME}=${value}`)
}
