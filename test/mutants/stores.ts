import type { Mutant } from './mutant.ts'

const STORES = 'src/domain/stores.ts'
const GATE = 'src/http/gate/gate.ts'
const AUTH = 'src/http/gate/auth.ts'
const SESSIONS = 'src/http/gate/sessions.ts'
const ADMISSION = 'src/http/gate/admission.ts'
const SANDBOX = 'src/domain/sandbox.ts'
const ROUTING = 'test/http/stores/routing.test.ts'
const LOST = 'test/http/stores/lost.test.ts'
const MARKS = 'test/http/stores/marks.test.ts'
const TELEMETRY = 'test/http/stores/telemetry.test.ts'
const CREATE = 'test/cli/sandbox-create.test.ts'

/** Faults of every place that chooses a store, or keeps one from the work, the places or the database of the other. */
export const SANDBOX_MUTANTS: Mutant[] = [
  {
    name: 'store-of-no-key',
    what: 'a test key is looked up in the live store',
    file: STORES,
    edits: [['this.at(addressOf(text)) ?? this.default', 'this.default']],
    kill: { test: ROUTING, names: 'a key is looked up in the store that its text names' },
  },
  {
    name: 'store-of-principal-ignored',
    what: 'a request with a key in use acts in the live store, whatever the store of its key',
    file: GATE,
    edits: [['admit({ principal, store }, request', 'admit({ principal, store: stores.default }, request']],
    kill: { test: ROUTING, names: 'every response to a key of the sandbox says so, also an error' },
  },
  {
    name: 'names-of-first-store',
    what: 'an operation keeps what it has read for requests of the other store',
    file: 'src/http/keys/routes.ts',
    edits: [
      [
        'JSON.stringify(await listKeyNames(request.store, request))',
        '((globalThis as any).kept ??= JSON.stringify(await listKeyNames(request.store, request)))',
      ],
    ],
    kill: { test: 'test/http/stores/generated.test.ts', names: 'shows and changes nothing but the store of its key' },
  },
  {
    name: 'session-in-live-store',
    what: 'the cookie of a session of the sandbox is looked up in the live store',
    file: SESSIONS,
    edits: [['const store = named ?? stores.default', 'const store = stores.default']],
    kill: { test: ROUTING, names: 'a session is of the store of its key' },
  },
  {
    name: 'session-acts-in-live-store',
    what: 'a session of the sandbox acts in the live store',
    file: SESSIONS,
    edits: [['return { ...session, store }', 'return { ...session, store: stores.default }']],
    kill: { test: ROUTING, names: 'a session is of the store of its key' },
  },
  {
    name: 'cookie-without-store',
    what: 'the cookie of a session of the sandbox does not name it',
    file: SESSIONS,
    edits: [['sessionCookie(prefixOf(store) + token)', 'sessionCookie(token)']],
    kill: { test: ROUTING, names: 'a session is of the store of its key' },
  },
  {
    name: 'earlier-session-in-new-store',
    what: 'signing in ends the earlier session in the store of the new one, where it is none',
    file: SESSIONS,
    edits: [['endSession(previous.store, previous.token)', 'endSession(store, previous.token)']],
    kill: { test: ROUTING, names: 'signing in ends the earlier session in its own store' },
  },
  {
    name: 'sign-in-waits-for-other-store',
    what: 'signing in waits for the store of the earlier session',
    file: SESSIONS,
    edits: [['if (previous && !isOfSameStore) endSession', 'if (previous && !isOfSameStore) await endSession']],
    kill: { test: ROUTING, names: 'signing in waits for no other store' },
  },
  {
    name: 'exposed-keys-of-live-store',
    what: 'all keys in a URL are looked up in the live store',
    file: AUTH,
    edits: [['Map.groupBy(keys, (key) => stores.ofKey(key))', 'Map.groupBy(keys, () => stores.default)']],
    kill: { test: ROUTING, names: 'keys in a URL are each found in their own store' },
  },
  {
    name: 'sign-in-by-live-store',
    what: 'the console signs in with keys of the live store only',
    file: AUTH,
    edits: [
      [
        '  const store = stores.ofKey(token)\n  return { principal: await authenticate',
        '  const store = stores.default\n  return { principal: await authenticate',
      ],
    ],
    kill: { test: ROUTING, names: 'a session is of the store of its key' },
  },
  {
    name: 'places-for-all-stores',
    what: 'requests of one store may take all places of a process',
    file: ADMISSION,
    edits: [['stores.length > 1 ? Math.ceil(most / 2) : most', 'most']],
    kill: { test: LOST, names: 'take half of the places' },
  },
  {
    name: 'places-of-keys-in-use',
    what: 'requests with a key of the sandbox that is in use take places of the live store',
    file: GATE,
    edits: [['admission.enter(request, store.address)', "admission.enter(request, 'live')"]],
    kill: { test: LOST, names: 'reads of a sandbox' },
  },
  {
    name: 'places-of-bodies',
    what: 'requests to the sandbox with a body take places of the live store',
    file: 'src/http/app.ts',
    edits: [['admission.enter(request, address)', "admission.enter(request, 'live')"]],
    kill: { test: LOST, names: 'take half of the places' },
  },
  {
    name: 'places-of-sessions',
    what: 'a session of the sandbox is rejected when the live store is full',
    file: GATE,
    edits: [['const { address } = locateSession(cookie, stores).store', 'const { address } = stores.default']],
    kill: { test: LOST, names: 'sessions of the other store' },
  },
  {
    name: 'places-of-signing-in',
    what: 'sessions of a sandbox neither begin nor end when the live store is full',
    file: 'src/http/console/routes.ts',
    edits: [
      [
        "const { address } = (request.method === 'POST' ? storeOfKey : storeOfSession)(request, stores)",
        'const { address } = stores.default',
      ],
    ],
    kill: { test: LOST, names: 'sessions of the other store' },
  },
  {
    name: 'rejected-by-live-store',
    what: 'a store is full when the live one is',
    file: GATE,
    edits: [['if (admission.isFull(store.address)) return', "if (admission.isFull('live')) return"]],
    kill: { test: LOST, names: 'take half of the places' },
  },
  {
    name: 'places-counted-as-live',
    what: 'requests of the sandbox take places of the live store',
    file: ADMISSION,
    edits: [['this.#places[store].inFlight++', 'this.#places.live.inFlight++']],
    kill: { test: LOST, names: 'take half of the places' },
  },
  {
    name: 'places-freed-elsewhere',
    what: 'a request of the sandbox that ends frees a place of the live store',
    file: ADMISSION,
    edits: [['this.#places[admittedTo].inFlight--', 'this.#places.live.inFlight--']],
    kill: { test: LOST, names: 'take half of the places' },
  },
  {
    name: 'rejections-counted-as-live',
    what: 'rejected requests of the sandbox are counted as those of the live store',
    file: ADMISSION,
    edits: [['this.#places[store].rejected++', 'this.#places.live.rejected++']],
    kill: { test: LOST, names: 'take half of the places' },
  },
  {
    name: 'look-ups-shared',
    what: 'look-ups of keys of both stores wait in one line',
    file: 'src/storage/keys/cache.ts',
    edits: [
      ['export class KeyCache implements', 'const shared = { waiting: 0 }\nexport class KeyCache implements'],
      ['this.#waiting >= MAX_WAITING', 'shared.waiting >= MAX_WAITING'],
      ['this.#waiting++', 'shared.waiting++'],
      ['this.#waiting--', 'shared.waiting--'],
    ],
    kill: { test: LOST, names: 'made-up test keys, however many, keep no live key waiting' },
  },
  {
    name: 'keys-of-any-store',
    what: 'a key is valid in whichever database has its row',
    file: 'src/storage/keys/keys.ts',
    edits: [
      ['exists (select 1 from store where address = $2 and (mode = address or not test_keys_elsewhere))', "$2 <> ''"],
    ],
    kill: { test: MARKS, names: 'keys are only of the store that the database says it is' },
  },
  {
    name: 'moved-keys-valid',
    what: 'a process without the sandbox accepts test keys that were moved there',
    file: 'src/storage/keys/keys.ts',
    edits: [['(mode = address or not test_keys_elsewhere)', 'true']],
    kill: { test: MARKS, names: 'without its variable, a process rejects test keys that live in a sandbox' },
  },
  {
    name: 'database-of-any-store',
    what: 'a process uses the database of another store',
    file: 'src/storage/postgres/probe.ts',
    edits: [['if (stores[0].address !== address)', 'if (stores[0].address === undefined)']],
    kill: { test: MARKS, names: 'the live database is no sandbox, whatever the host name' },
  },
  {
    name: 'swapped-urls-accepted',
    what: 'a process starts with a sandbox as its live store',
    file: 'src/storage/postgres/probe.ts',
    edits: [['if (stores[0].address !== address)', "if (address === 'test' && stores[0].address !== address)"]],
    kill: { test: MARKS, names: 'whose two URLs have been swapped does not start' },
  },
  {
    name: 'moved-keys-unmentioned',
    what: 'a process without the sandbox does not say that it rejects test keys',
    file: 'src/domain/start-warnings.ts',
    edits: [['row.testKeysElsewhere !== hasSandbox', 'hasSandbox && !row.testKeysElsewhere']],
    kill: { test: MARKS, names: 'such a process says so at its start' },
  },
  {
    name: 'mode-of-key',
    what: 'responses to test keys without a sandbox have Petstore-Mode too',
    file: 'src/http/reply.ts',
    edits: [['namedAddress(store?.address)', 'namedAddress(principal?.key.mode)']],
    kill: { test: ROUTING, names: 'a process without a sandbox answers test keys from its only store' },
  },
  {
    name: 'mode-of-success',
    what: 'errors of a sandbox have no Petstore-Mode',
    file: 'src/http/reply.ts',
    edits: [['if (mode !== undefined) all', 'if (mode !== undefined && status < 400) all']],
    kill: { test: ROUTING, names: 'every response to a key of the sandbox says so, also an error' },
  },
  {
    name: 'source-without-store',
    what: 'events of a sandbox have the source of live ones',
    file: 'src/http/events/routes.ts',
    edits: [['printers[request.store.address]', 'printers.live']],
    kill: { test: ROUTING, names: 'events of a sandbox have another source' },
  },
  {
    name: 'deliveries-without-store',
    what: 'deliveries of the sandbox have the source of live events',
    file: 'src/service.ts',
    edits: [['config.publicBaseUrl ?? VERSION_PREFIX, address)', "config.publicBaseUrl ?? VERSION_PREFIX, 'live')"]],
    kill: { test: 'test/delivery/stores.test.ts', names: 'each its own events with its own source' },
  },
  {
    name: 'deliveries-of-live-store',
    what: 'a process delivers for the live store only',
    file: 'src/service.ts',
    edits: [['const opening = config.stores.map(', 'const opening = config.stores.slice(0, 1).map(']],
    kill: { test: 'test/delivery/stores.test.ts', names: 'each its own events with its own source' },
  },
  {
    name: 'instructions-of-live-store',
    what: 'agents do not learn that they are in a sandbox',
    file: 'src/http/mcp/tools.ts',
    edits: [["address === DEFAULT_STORE ? ''", "address !== 'nowhere' ? ''"]],
    kill: { test: 'test/http/stores/mcp.test.ts', names: 'agents learn that they are in a sandbox, and only there' },
  },
  {
    name: 'ready-with-any-store',
    what: 'a process whose live store is lost is ready, since its sandbox is',
    file: 'src/service.ts',
    edits: [['readiness: stores.default.readiness,', 'readiness: stores.all.at(-1)!.readiness,']],
    kill: {
      test: LOST,
      names: 'a live store that is lost changes nothing for test keys, but the process is not ready',
    },
  },
  {
    name: 'start-needs-sandbox',
    what: 'a database that is no sandbox keeps a process from starting',
    file: 'src/store.ts',
    edits: [['const throwsUnsafe = this.#address === DEFAULT_STORE', 'const throwsUnsafe = true']],
    kill: { test: MARKS, names: 'a database that is no sandbox is not used as one' },
  },
  {
    name: 'metrics-without-store',
    what: 'series of both stores have the same labels',
    file: 'src/service.ts',
    edits: [['{ store: address }', "{ store: 'live' }"]],
    kill: { test: TELEMETRY, names: 'each series says of which it is' },
  },
  {
    name: 'log-without-store',
    what: 'lines of the log do not name the sandbox',
    file: 'src/service.ts',
    edits: [['named === undefined ? log : log.child({ store: named })', 'log']],
    kill: { test: MARKS, names: 'the live database is no sandbox, whatever the host name' },
  },
  {
    name: 'trace-without-store',
    what: 'traces do not name the sandbox',
    file: 'src/telemetry/traces.ts',
    edits: [["    if (store !== undefined) this.#request.setAttribute('petstore.store', store)\n", '']],
    kill: { test: TELEMETRY, names: 'the trace of a request to the sandbox names it' },
  },
  {
    name: 'keys-removed-first',
    what: 'sandbox create removes test keys before the sandbox has stored them',
    file: SANDBOX,
    edits: [
      [
        'return live.transaction(async (from)',
        'const all: TestKeys[] = []\n  const moved = await live.transaction(async (from)',
      ],
      ['await put(taken)', 'all.push(taken)'],
      [
        'openOrders: taken.openOrders }\n  })\n',
        'openOrders: taken.openOrders }\n  })\n  for (const taken of all) await put(taken)\n  return moved\n',
      ],
    ],
    kill: { test: CREATE, names: 'every test key is in one of the two stores' },
  },
  {
    name: 'create-waits-for-locks',
    what: 'sandbox create waits for locks in the sandbox',
    file: SANDBOX,
    edits: [['for (const db of dbs) await', 'for (const db of dbs.slice(0, 1)) await']],
    kill: { test: CREATE, names: 'the keys of a sandbox that cannot be read' },
  },
  {
    name: 'sandbox-of-same-database',
    what: 'sandbox create accepts the live database under another host name',
    file: SANDBOX,
    edits: [['(await readIdentity(live)) === (await readIdentity(sandbox))', 'false']],
    kill: { test: 'test/cli/stores.test.ts', names: 'until test keys are in the sandbox' },
  },
  {
    name: 'sandbox-of-used-database',
    what: 'sandbox create marks a database that has pets',
    file: 'src/storage/stores/row.ts',
    edits: [["pg_sequence_last_value('pets_id_seq') is null and not exists (select from api_keys)", 'true']],
    kill: { test: 'test/cli/stores.test.ts', names: 'sandbox create rejects a database in use' },
  },
  {
    name: 'ids-of-live-store',
    what: 'ids of a sandbox begin as those of the live store do',
    file: SANDBOX,
    edits: [['  await startIds(sandbox)\n', '']],
    kill: { test: CREATE, names: 'the test keys are in the sandbox with their history' },
  },
  {
    name: 'reset-of-any-store',
    what: 'sandbox reset empties a live database',
    file: SANDBOX,
    edits: [["      await requireStore(transaction, 'test')\n", '']],
    kill: { test: 'test/cli/sandbox-reset.test.ts', names: 'not marked as a sandbox is never emptied' },
  },
  {
    name: 'commands-of-any-store',
    what: 'commands act in whichever database a URL leads to',
    file: 'src/cli/database-url.ts',
    edits: [
      ['    await requireStore(db, address)\n', ''],
      ['    await requireStore(bulk.db, store.address)\n', ''],
    ],
    kill: { test: 'test/cli/stores.test.ts', names: 'until test keys are in the sandbox' },
  },
]
