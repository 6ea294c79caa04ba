import type pg from 'pg'
import { orderIdText } from '../../src/lib/ids/order-id.ts'
import { until } from './until.ts'

/** When the console is looked at. The service lives today, and must not expire what is open at that moment. */
export const MOMENT = new Date('2030-03-15T09:30:00Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const NAMES = [
  'Biscuit',
  'Mochi',
  'Hazel',
  'Sir Barks-a-Lot III',
  'Pépin',
  'Nougat',
  'たま',
  'Ziggy',
  'Luna 🐾',
  'Pickles',
  'Bartholomew the exceptionally patient tortoise of Upper Slaughter, Gloucestershire',
  'Kiwi',
  'Olive',
  '<b>Bold</b> & "quoted"',
  'Олівер',
  'Waffles',
  'لولو',
  'Juniper',
  'Maple',
]
const CATEGORIES = ['1', '2', '7', '1', '42', '3', '1', '2']
/** The ends of the range. */
const EXTREMES = new Map([
  [1_052, '9223372036854775807'],
  [1_046, '-9223372036854775808'],
])
const FIRST_PET = 1_001

type OrderStatus = 'placed' | 'completed' | 'cancelled' | 'expired'
interface PlacedOrder {
  petId: number
  status: OrderStatus
  minutesAgo: number
  reference?: string
}

const ORDERS: readonly PlacedOrder[] = [
  { petId: 1_060, status: 'placed', minutesAgo: 4, reference: 'counter 2, Mrs. Okafor' },
  { petId: 1_056, status: 'placed', minutesAgo: 11 },
  { petId: 1_051, status: 'placed', minutesAgo: 14, reference: 'web-20300315-0017' },
  { petId: 1_048, status: 'completed', minutesAgo: 52, reference: 'web-20300315-0009' },
  { petId: 1_044, status: 'cancelled', minutesAgo: 75 },
  { petId: 1_039, status: 'expired', minutesAgo: 130, reference: '取り置き' },
  { petId: 1_033, status: 'completed', minutesAgo: 26 * 60 },
]

const HOLD_MINUTES = 15

/** Seen from its pet and from its own page. */
export const OPEN_ORDER = orderOf(ORDERS[0]!)
export const FAILING_WEBHOOK = 'wh_8rT5nQ2vXy7LpK3wZb0A'

/** An available pet whose name is as long as a name can be. */
export const LONG_NAMED = 1_999n

export const addLongNamed = (pool: pg.Pool) =>
  insertRows(pool, 'pets', [{ id: String(LONG_NAMED), name: 'W'.repeat(255), category_id: '1', status: 'available' }])

/** A store in the middle of a day: sixty pets, orders in every state, their events and webhooks, with times that never differ. */
export async function fillStore(pool: pg.Pool, keyId: string) {
  const pets = Array.from({ length: 60 }, (_, n) => petOf(FIRST_PET + n))
  const events = pets.map((pet, n) => {
    const { id, version: _, held_by: __, ...rest } = pet
    const at = before(n < 40 ? 3 * DAY - n * MINUTE : (pets.length - n) * 9 * MINUTE + 150 * MINUTE)
    return { ...rest, status: 'available', pet_id: id, version: 1, type: 'pet.created', at, key_id: keyId }
  })
  const changes = pets.flatMap((pet) => changesOf(pet, keyId))
  await insertRows(pool, 'pets', pets)
  await insertRows(
    pool,
    'orders',
    ORDERS.map((order) => orderRow(order, keyId)),
  )
  await insertRows(pool, 'events', [...events, ...changes])
  await pool.query("select setval('pets_id_seq', 2000)")
  const count = events.length + changes.length
  await untilSequenced(pool, count)
  await insertWebhooks(pool, count, keyId)
}

function petOf(id: number) {
  const order = ORDERS.find(({ petId }) => petId === id)
  const isSold = order ? order.status === 'completed' : id % 7 === 3
  return {
    id,
    name: NAMES[id % NAMES.length]!,
    category_id: EXTREMES.get(id) ?? CATEGORIES[id % CATEGORIES.length]!,
    status: order?.status === 'placed' ? 'pending' : isSold ? 'sold' : id % 20 === 5 ? null : 'available',
    version: order ? (order.status === 'placed' ? 2 : 3) : isSold ? 2 : 1,
    held_by: order?.status === 'placed' ? String(orderOf(order).key) : null,
  }
}

function orderOf({ petId, minutesAgo }: PlacedOrder) {
  const key = BigInt(MOMENT.getTime() - minutesAgo * MINUTE) * 2n ** 21n + BigInt(petId)
  return { petId, key, id: orderIdText({ petId: BigInt(petId), id: key }) }
}

function orderRow(order: PlacedOrder, keyId: string) {
  const { petId, status, minutesAgo, reference = null } = order
  const expiresAt = before((minutesAgo - HOLD_MINUTES) * MINUTE)
  const closedAt = status === 'placed' ? null : status === 'expired' ? expiresAt : before((minutesAgo - 6) * MINUTE)
  const { key } = orderOf(order)
  return {
    pet_id: petId,
    id: String(key),
    version: 2,
    status,
    expires_at: expiresAt,
    closed_at: closedAt,
    reference,
    placed_by: keyId,
    chain_id: keyId,
    closed_by: status === 'completed' || status === 'cancelled' ? keyId : null,
  }
}

/** The events of a pet after its first. */
function changesOf(pet: ReturnType<typeof petOf>, keyId: string): object[] {
  const { id, version, held_by: _, ...rest } = pet
  const common = { ...rest, pet_id: id, changed: 'status', key_id: keyId }
  const order = ORDERS.find(({ petId }) => petId === id)
  if (!order)
    return version === 1 ? [] : [{ ...common, version, type: 'pet.updated', at: before(2 * DAY - id * MINUTE) }]
  const orderId = String(orderOf(order).key)
  const row = orderRow(order, keyId)
  const placed = {
    ...common,
    version: 2,
    status: 'pending',
    type: 'order.placed',
    at: before(order.minutesAgo * MINUTE),
    order_id: orderId,
  }
  if (row.closed_at === null) return [placed]
  const closed = { ...placed, version: 3, status: pet.status, type: `order.${order.status}`, at: row.closed_at }
  return [placed, { ...closed, key_id: order.status === 'expired' ? null : keyId }]
}

async function insertWebhooks(pool: pg.Pool, last: number, keyId: string) {
  const { rows } = await pool.query<{ mark: string }>('select mark from feed_pages order by first desc limit 1')
  const webhook = {
    types: null,
    state: 'active',
    secret_number: 1,
    sequence: last,
    mark: rows[0]?.mark,
    moves: 0,
    failures: 0,
    attempts: 3,
    created_by: keyId,
    changed_by: keyId,
  }
  await insertRows(pool, 'webhooks', [
    {
      ...webhook,
      id: 'wh_3fH9kD6sJq1VmC4xRt8E',
      url: 'https://shop.example/hooks/petstore',
      created_at: before(40 * DAY),
    },
    {
      ...webhook,
      id: FAILING_WEBHOOK,
      url: 'https://warehouse.example/a/rather/long/path/to/the/receiver/of/events?tenant=gloucestershire',
      types: 'order.completed order.cancelled',
      created_at: before(9 * DAY),
      sequence: last - 6,
      failing_since: before(95 * MINUTE),
      failures: 7,
      next_attempt_at: before(-4 * MINUTE),
    },
    {
      ...webhook,
      id: 'wh_5yB2gN7zWe0ToS1uFc6M',
      url: 'https://old.example/in',
      state: 'paused',
      created_at: before(90 * DAY),
      sequence: last - 31,
    },
  ])
  const attempt = (webhook_id: string, place: number, minutesAgo: number, result: object) => ({
    webhook_id,
    place,
    at: before(minutesAgo * MINUTE),
    event_id: `evt_AAAAAAAAA-kAAAAAAAAAA${place}`,
    duration_ms: 31 + place * 17,
    ...result,
  })
  await insertRows(pool, 'webhook_attempts', [
    ...[4, 46, 75].map((ago, n) => attempt('wh_3fH9kD6sJq1VmC4xRt8E', n, ago, { status: 204 })),
    attempt(FAILING_WEBHOOK, 0, 95, { status: 503, error: 'The receiver responded with 503.' }),
    attempt(FAILING_WEBHOOK, 1, 80, { error: 'The connection was refused.' }),
    attempt(FAILING_WEBHOOK, 2, 26, { status: 500, error: 'The receiver responded with 500.' }),
  ])
}

/** Events are in the feed when the service has given them their numbers. */
async function untilSequenced(pool: pg.Pool, count: number) {
  await until(async () => (await pool.query('select from feed_pages, unnest(pet_ids)')).rows.length >= count)
}

function before(ms: number) {
  return new Date(MOMENT.getTime() - ms).toISOString()
}

/** What a row does not say has its default. */
async function insertRows(pool: pg.Pool, table: string, rows: readonly object[]) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(', ')
  await pool.query(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}
