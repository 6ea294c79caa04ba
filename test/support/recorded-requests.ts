/** A request that both versions get. `{name}` stands for what an earlier response of the same version contained. */
export interface Recorded {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
  /** Which key sends it: one with all scopes unless it says otherwise; `none` for no key. */
  key?: 'all' | 'reader' | 'revoked' | 'none' | 'unknown'
  /** Keeps a part of the response under this name: the first group of the pattern, in the Link or Location header or the body. */
  save?: [name: string, pattern: RegExp]
  /** Sent to the database instead, for what no request brings about. */
  sql?: string
  /** What it returns comes about in the background: it is sent until both versions return the same, or its time is over. */
  isLate?: boolean
}

const MISSING_ORDER = 'ord_AAAAAAAAAjQ8diTHYAAF'
const MISSING_WEBHOOK = 'wh_AAAAAAAAAAAAAAAAAAAA'
const ID = /^\{"id":(\d+)/
const NEXT = /<[^>]*(\/v1[^>]*)>; rel="next"/
const LAST = /\/([^/]+)$/

const get = (path: string, more: Partial<Recorded> = {}): Recorded => ({ method: 'GET', path: `/v1${path}`, ...more })
const send = (method: string, path: string, body?: unknown, more: Partial<Recorded> = {}): Recorded => ({
  method,
  path: `/v1${path}`,
  ...more,
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...more.headers },
})
const post = (path: string, body?: unknown, more?: Partial<Recorded>) => send('POST', path, body, more)
const patch = (path: string, body?: unknown, more?: Partial<Recorded>) => send('PATCH', path, body, more)
const withHeaders = (headers: Record<string, string>, more: Partial<Recorded> = {}) => ({ ...more, headers })
const sql = (text: string): Recorded => ({ method: 'SQL', path: text, sql: text })
const late = { isLate: true }

const NAMES = ['Rex', 'Shelly 🐢', 'a "quoted" \\ name', '<b>&amp;', 'é\u2028\u2029', 'Ж'.repeat(255), '\ud7ff\ue000']
const BIG = '9223372036854775807'

function* creates() {
  for (const [i, name] of NAMES.entries())
    for (const status of [undefined, 'available', 'pending', 'sold'])
      yield post('/pets', { name, categoryId: i - 2, status }, { save: [`pet-${i}-${status ?? 'none'}`, ID] })
  yield post('/pets', `{"name":"big","categoryId":${BIG}}`, { save: ['big', ID] })
  yield post('/pets', `{"name":"small","categoryId":-9223372036854775808,"id":5,"other":1}`)
  for (const _ of [1, 2])
    yield post('/pets', { name: 'once', categoryId: 1 }, withHeaders({ 'idempotency-key': 'a-key' }))
  yield post('/pets', { name: 'twice', categoryId: 1 }, withHeaders({ 'idempotency-key': 'a-key' }))
  yield post('/pets', { name: 'x', categoryId: 1 }, withHeaders({ 'idempotency-key': ' ' }))
  for (const body of [
    '',
    '{',
    '[]',
    '{}',
    '{"name":1}',
    '{"name":"","categoryId":"1"}',
    '{"name":"a","name":"b"}',
    '"x"',
  ])
    yield post('/pets', body)
  yield post('/pets', `{"name":"x","categoryId":9223372036854775808}`)
  yield post('/pets', `{"name":"x","categoryId":1.5,"status":"Sold"}`)
  yield post('/pets', `{"name":"${'x'.repeat(256)}","categoryId":1}`)
  yield post('/pets', `{"name":"x","categoryId":1,"y":"${'x'.repeat(200_000)}"}`)
  yield post('/pets', 'x', withHeaders({ 'content-type': 'text/plain' }))
}

function* lists() {
  for (const status of ['', '&status=available', '&status=pending', '&status=sold'])
    for (const sort of ['', '&sort=newest', '&sort=oldest'])
      for (const view of ['', '&view=full']) {
        yield get(`/pets?limit=5${status}${sort}${view}`, { save: ['next', NEXT] })
        yield { method: 'GET', path: '{next}' }
      }
  for (const category of ['-1', '3', BIG])
    for (const rest of ['', '&status=sold', '&sort=newest&view=full&limit=1'])
      yield get(`/pets?categoryId=${category}${rest}`)
  const ids = '{pet-0-sold},{pet-1-available},999,{big},{pet-1-available}'
  for (const rest of ['', '&view=full', '&sort=newest&limit=2', '&status=sold', '&categoryId=-2'])
    yield get(`/pets?id=${ids}${rest}`, { save: ['next', NEXT] })
  yield get('/pets?limit=100')
  for (const query of 'limit=0 limit=101 limit=x status=Sold id= id=x sort=up view=all colour=red'.split(' '))
    yield get(`/pets?${query}`)
  for (const query of ['cursor=x', 'cursor=AQAAAAAAAAAC', 'cursor=AgAAAAAAAAAC', 'sort=newest&cursor=AQAAAAAAAAAC'])
    yield get(`/pets?${query}`)
}

function* singles() {
  for (const id of ['{pet-0-sold}', '{pet-1-none}', '{big}', '999', '0', '-1', 'x', '01', '9223372036854775808', ''])
    yield get(`/pets/${id}`)
  const own = '/pets/{pet-2-available}'
  yield patch(own, { name: 'another' })
  yield patch(own, { name: 'another' })
  yield patch(own, { status: null, categoryId: 8 })
  yield patch(own, { name: 'third' }, withHeaders({ 'if-match': '"3"' }))
  yield patch(own, { name: 'fourth' }, withHeaders({ 'if-match': '"3", "9"' }))
  yield patch(own, { name: 'fourth' }, withHeaders({ 'if-match': '*' }))
  yield patch(own, { name: 'fifth' }, withHeaders({ 'if-match': 'W/"3"' }))
  yield patch('/pets/{pet-3-sold}', { status: 'available' })
  yield patch('/pets/{pet-3-sold}', { status: 'available' }, withHeaders({ 'if-match': '"1"' }))
  for (const body of ['{}', '{"name":null}', '[]', '{"status":"x"}']) yield patch(own, body)
  yield patch('/pets/999', { name: 'x' })
  yield patch('/pets/x', { name: 'x' })
  yield send('DELETE', '/pets/{pet-3-none}', undefined, withHeaders({ 'if-match': '"7"' }))
  yield send('DELETE', '/pets/{pet-3-none}')
  yield send('DELETE', '/pets/{pet-3-none}')
  yield get('/pets/{pet-3-none}')
}

function* orders() {
  const order = (petId: string, more = '') => `{"petId":${petId}${more}}`
  yield post('/store/orders', order('{pet-0-available}', ',"reference":"basket 1"'), { save: ['order', LAST] })
  yield post('/store/orders', order('{pet-1-available}', ',"expiresIn":60'), { save: ['second', LAST] })
  for (const _ of [1, 2])
    yield post(
      '/store/orders',
      order('{pet-4-available}'),
      withHeaders({ 'idempotency-key': 'k' }, { save: ['third', LAST] }),
    )
  yield post('/store/orders', order('{pet-5-available}'), withHeaders({ 'idempotency-key': 'k' }))
  yield post('/store/orders', order('{pet-6-available}', ',"reference":"é \\"x\\""'), { save: ['fourth', LAST] })
  for (const pet of ['{pet-0-available}', '{pet-0-none}', '{pet-0-pending}', '{pet-0-sold}', '999', '"x"', '1.5'])
    yield post('/store/orders', order(pet))
  for (const more of [',"expiresIn":0', ',"expiresIn":1e9', ',"reference":""', ',"reference":5'])
    yield post('/store/orders', order('{pet-5-available}', more))
  yield patch('/pets/{pet-0-available}', { status: 'sold' })
  yield patch('/pets/{pet-0-available}', { name: 'held' })
  yield send('DELETE', '/pets/{pet-0-available}')
  for (const id of ['{order}', '{second}', MISSING_ORDER, 'x']) yield get(`/store/orders/${id}`)
  for (const [id, how] of [
    ['{order}', 'complete'],
    ['{order}', 'complete'],
    ['{order}', 'cancel'],
    ['{second}', 'cancel'],
    ['{second}', 'cancel'],
    ['{second}', 'complete'],
    [MISSING_ORDER, 'complete'],
    [MISSING_ORDER, 'cancel'],
    ['x', 'cancel'],
  ])
    yield post(`/store/orders/${id}/${how}`)
  for (const id of ['{order}', '{second}', '{third}']) yield get(`/store/orders/${id}`)
  for (const query of ' limit=1 status=placed status=completed&limit=1 status=expired petId={pet-0-available}'.split(
    ' ',
  ))
    yield get(`/store/orders?${query}`, { save: ['next', NEXT] })
  yield get('/store/orders?limit=2', { save: ['next', NEXT] })
  yield { method: 'GET', path: '{next}', save: ['next', NEXT] } satisfies Recorded
  for (const query of ['reference=basket%201', 'reference=none', 'reference=basket%201&status=completed&limit=1'])
    yield get(`/store/orders?${query}`)
  for (const query of ['petId=1&reference=x', 'status=open', 'cursor=x', 'cursor=AQAAAAAAAAAC', 'limit=0', 'petId=x'])
    yield get(`/store/orders?${query}`)
}

function* events() {
  yield sql(
    `insert into events (pet_id, version, type, added, id_ranges) values (0, 1, 'pets.imported', 4, '{[1,3),[7,9)}')`,
  )
  for (const query of 'limit=100 limit=7 limit=3&type=order.placed,order.cancelled type=pets.imported sort=newest&limit=5'.split(
    ' ',
  ))
    yield get(`/events?${query}`, { ...late, save: ['next', NEXT] })
  yield get('/events?limit=20', { ...late, save: ['next', NEXT] })
  for (const _ of [1, 2, 3]) yield { method: 'GET', path: '{next}', ...late, save: ['next', NEXT] } satisfies Recorded
  yield get('/events?sort=newest&limit=20&type=pet.updated,order.completed', { ...late, save: ['next', NEXT] })
  yield get('/events?sort=newest&limit=30', { ...late, save: ['next', NEXT] })
  for (const _ of [1, 2]) yield { method: 'GET', path: '{next}', ...late, save: ['next', NEXT] } satisfies Recorded
  for (const pet of ['{pet-0-available}', '{pet-2-available}', '{pet-3-none}', '999'])
    for (const rest of ['', '&limit=1', '&sort=newest', '&sort=newest&limit=1']) {
      yield get(`/events?petId=${pet}${rest}`, { save: ['next', NEXT] })
      if (rest.includes('limit')) yield { method: 'GET', path: '{next}', save: ['next', NEXT] } satisfies Recorded
    }
  for (const query of ['from=now', 'from=now&wait=1', 'from=oldest&limit=1', 'from=2020-01-01T00:00:00Z&limit=2'])
    yield get(`/events?${query}`, late)
  for (const query of [
    'from=x',
    'from=now&cursor=x',
    'petId=1&wait=1',
    'sort=newest&wait=1',
    'wait=99',
    'type=x',
    'petId=1&cursor=AQAAAAAAAAAC',
  ])
    yield get(`/events?${query}`)
  yield get('/events?cursor=BAAAAAAAAAABAAAAAAAAAAE')
  yield get('/events?cursor=BgAAAAAAAAABAAAAAAAAAAE')
  yield get('/events?sort=newest&cursor=BgAAAAAAAAABAAAAAAAAAAE')
  yield get('/events?cursor=x')
}

function* webhooks() {
  const url = 'https://shop.example/hooks'
  yield get('/webhooks')
  yield post('/webhooks', { url }, { save: ['webhook', LAST] })
  yield post('/webhooks', { url, types: ['order.completed', 'pet.updated'] }, { save: ['paused', LAST] })
  for (const _ of [1, 2]) yield post('/webhooks', { url, types: null }, withHeaders({ 'idempotency-key': 'w' }))
  yield post('/webhooks', { url: 'https://other.example' }, withHeaders({ 'idempotency-key': 'w' }))
  for (const body of [
    {},
    { url: 'http://x.example' },
    { url: 'https://localhost' },
    { url, types: [] },
    { url, types: ['x'] },
  ])
    yield post('/webhooks', body)
  for (const id of ['{webhook}', '{paused}', MISSING_WEBHOOK, 'x']) yield get(`/webhooks/${id}`)
  yield patch('/webhooks/{paused}', { state: 'paused' })
  yield patch('/webhooks/{webhook}', { cursor: 'oldest' })
  yield patch('/webhooks/{webhook}', { cursor: '2020-01-01T00:00:00Z', types: ['pet.created'] })
  for (const body of [{}, { cursor: 'x' }, { cursor: 'BAAAAAAAAAABAAAAAAAAAAE' }, { state: 'disabled' }])
    yield patch('/webhooks/{webhook}', body)
  yield patch(`/webhooks/${MISSING_WEBHOOK}`, { state: 'paused' })
  yield post('/webhooks/{webhook}/rotate', {})
  yield post('/webhooks/{webhook}/rotate', { overlap: 0 })
  yield post('/webhooks/{webhook}/rotate', { overlap: -1 })
  yield sql(
    `insert into webhook_attempts select id, 1, now(), 'evt_AAAA', 500, 'The status was 500.', 12 from webhooks`,
  )
  yield sql(`insert into webhook_attempts select id, 2, now(), 'evt_BBBB', 204, null, 3 from webhooks`)
  yield sql(`insert into webhook_attempts select id, 3, now(), 'evt_CCCC', null, 'Refused.', 0 from webhooks`)
  yield sql(`update webhooks set failing_since = now(), failures = 2, next_attempt_at = now() + interval '1 hour'`)
  yield post('/webhooks/{webhook}/ping')
  yield post(`/webhooks/${MISSING_WEBHOOK}/ping`)
  yield get('/webhooks')
  yield get('/webhooks/{webhook}/attempts')
  yield get(`/webhooks/${MISSING_WEBHOOK}/attempts`)
  yield send('DELETE', '/webhooks/{webhook}')
  yield send('DELETE', '/webhooks/{webhook}')
}

function* tools() {
  const call = (name: string, args: object) =>
    post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  yield post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  yield post('/mcp', { jsonrpc: '2.0', id: 1, method: 'nope' })
  yield call('find_pets', {})
  yield call('find_pets', { id: ['{big}'], limit: 1 })
  yield call('find_pets', { status: 'gone' })
  for (const _ of [1, 2]) yield call('add_pet', { name: 'by "tool"', categoryId: BIG, idempotencyKey: 'tool' })
  yield call('add_pet', { name: 'x' })
  yield call('change_pet', { petId: '{big}', version: '1', name: 'changed' })
  yield call('change_pet', { petId: '{big}', version: '1', name: 'changed again' })
  yield call('order_pet', { petId: '{pet-5-available}', reference: 'tool' })
  yield call('order_pet', { petId: '{pet-5-available}' })
  yield call('find_orders', { limit: 2 })
  yield call('close_order', { orderId: '{third}', action: 'complete' })
  yield call('close_order', { orderId: MISSING_ORDER, action: 'cancel' })
  yield { ...call('read_events', { sort: 'newest', limit: 3 }), ...late }
  yield { ...call('read_events', { limit: 3 }), ...late }
  yield call('read_events', { petId: '{big}' })
  yield call('nope', {})
}

function* everyone() {
  for (const key of ['all', 'reader'] as const) yield get('/keys/self', { key })
  for (const key of ['none', 'unknown', 'revoked'] as const) yield get('/pets', { key })
  yield post('/pets', { name: 'x', categoryId: 1 }, { key: 'reader' })
  yield post('/store/orders', { petId: 1 }, { key: 'reader' })
  yield get('/events', { key: 'reader' })
  yield get('/nothing')
  yield get('/nothing', { key: 'none' })
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) yield send(method, '/pets')
  yield { method: 'GET', path: '/nothing', key: 'none' } satisfies Recorded
  yield { method: 'GET', path: '/readyz', key: 'none' } satisfies Recorded
  yield { method: 'GET', path: '/openapi.json', key: 'none' } satisfies Recorded
  for (const path of ['/keys', '/keys/names', '/status']) yield get(path, { key: 'reader' })
  yield get('/deprecations', { key: 'reader' })
  yield get('/deprecations', late)
}

/** Every operation, and most of what can be wrong with a request. */
export function* recordedRequests(): Generator<Recorded> {
  yield get('/pets')
  yield get('/store/orders')
  yield get('/events', late)
  yield get('/events?sort=newest', late)
  yield* creates()
  yield* lists()
  yield* singles()
  yield* orders()
  yield* events()
  yield* webhooks()
  yield* tools()
  yield* lists()
  yield* everyone()
}
