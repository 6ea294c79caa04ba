import { Client } from './client.ts'
import { atDistance } from './distance.ts'
import { cursorAfter, type Request, read } from './operations.ts'
import { markdownTable, whole } from './report.ts'
import { log, setUpStore } from './rig.ts'
import type { Scenario } from './scenario.ts'
import { startService } from './service.ts'

const CLIENTS = 64
const DISTANCE_MS = 20
const STATUSES = ['available', 'pending', 'sold']
const PAGE = 100
const READS = ['get', 'list', 'filter by status', 'filter by id'] as const

type Read = (typeof READS)[number]

export interface Tally {
  operations: number
  missing: Record<Read, number>
  /** Lists requested while the same process still worked on an equal one: the chances to receive a stale page. */
  met: number
}

/** A client that created a pet finds it at once, on any process, however many request the same page at that moment. */
export const ownWrites: Scenario = async (resources, { quick }) => {
  const operations = quick ? 10_000 : 200_000
  const store = await setUpStore(resources, 100_000)
  // Two services rather than one of two processes: so each request can choose its process. The second has a long way to
  // the database: a list that it has sent stays under way while pets are created on the first, and would come without them.
  const near = resources.use(await startService(store.databaseUrl, 1))
  const far = resources.use(await startService(await atDistance(resources, store.databaseUrl, DISTANCE_MS), 1))
  const client = resources.use(new Client(store.key))

  log(`${CLIENTS} clients, ${operations.toLocaleString('en')} operations …`)
  const tally: Tally = {
    operations: 0,
    missing: { get: 0, list: 0, 'filter by status': 0, 'filter by id': 0 },
    met: 0,
  }
  const begun = performance.now()
  const send = senderTo(client, [near.url, far.url], tally)
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, i) => {
      while (tally.operations < operations) await createAndRead(send, STATUSES[i % STATUSES.length] ?? '', tally)
    }),
  )
  const seconds = (performance.now() - begun) / 1_000
  return {
    setting: `two services of one process each, one of them ${DISTANCE_MS} ms away from the database`,
    figures: tableOf(tally, seconds),
    data: { ...tally, seconds },
    missed: failings(tally),
  }
}

/** What was missing, as sentences; or that nothing could be. */
export function failings({ missing, met }: Tally) {
  return [
    ...READS.filter((kind) => missing[kind] > 0).map(
      (kind) => `${missing[kind]} pets were missing from the ${kind} that followed their creation`,
    ),
    ...(met > 0 ? [] : ['no list met an equal one in flight, so no stale page was possible']),
  ]
}

async function createAndRead(send: (request: Request) => Promise<string>, status: string, tally: Tally) {
  const body = JSON.stringify({ name: 'Rex', categoryId: 1, status })
  const { id } = JSON.parse(await send({ method: 'POST', path: '/v1/pets', body })) as { id: number }
  // The page of the hundred ids that this one belongs to: it has room for all of them, so this one must be in it; and
  // all clients that created one of the hundred request the same page, which is when a stale one could be returned.
  const page = `limit=${PAGE}&cursor=${cursorAfter(id - 1 - ((id - 1) % PAGE))}`
  const paths: Record<Read, string> = {
    get: `/v1/pets/${id}`,
    list: `/v1/pets?${page}`,
    'filter by status': `/v1/pets?status=${status}&${page}`,
    'filter by id': `/v1/pets?id=${id}`,
  }
  await Promise.all(
    READS.map(async (kind) => {
      const found = (await send(read(paths[kind]))).includes(`"id":${id},`)
      if (!found) tally.missing[kind]++
    }),
  )
}

/** Sends to any of the services; a response other than success or "no such pet" ends the run. */
function senderTo(client: Client, urls: string[], tally: Tally) {
  const underWay = new Map<string, number>()
  return async (request: Request) => {
    const url = urls[Math.floor(Math.random() * urls.length)] ?? ''
    const equal = `${url}${request.path}`
    const others = underWay.get(equal) ?? 0
    if (others > 0 && request.path.includes('cursor=')) tally.met++
    underWay.set(equal, others + 1)
    const { status, text } = await client.send(url, request)
    underWay.set(equal, (underWay.get(equal) ?? 1) - 1)
    if (![200, 201, 404].includes(status))
      throw new Error(`${request.method} ${request.path} returned ${status}: ${text}`)
    tally.operations++
    return text
  }
}

function tableOf({ operations, missing, met }: Tally, seconds: number) {
  return markdownTable(
    ['operations', 'seconds', ...READS.map((kind) => `missing: ${kind}`), 'lists that met an equal one'],
    [[whole(operations), whole(seconds), ...READS.map((kind) => whole(missing[kind])), whole(met)]],
  )
}
