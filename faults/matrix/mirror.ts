import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPetstore, type Pet, type PetRecord, type Petstore, parse } from '../../packages/client/src/index.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { differences } from '../feed/mirror.ts'
import { Writers } from '../feed/writers.ts'
import { brokenRejections, countsByCode } from '../promises.ts'
import { petstore, ServiceProcess } from '../rig/service.ts'
import { CALLER_ADDRESSES, SERVICE_ADDRESSES } from '../rig/site.ts'
import { until } from '../rig/until.ts'
import { openStore, type Store } from '../store.ts'

const [TIMES, CHANGES] = [10, 100_000]
const CHANGES_QUICK = 5_000
/** One more than a balancer of deploy/ha has behind it. */
const ADDRESSES = [...SERVICE_ADDRESSES, ...CALLER_ADDRESSES.slice(0, 1)]
const KILLED_EVERY_MS = 1_000
const IMPORTED = 1_000
const EQUAL_WITHIN_MS = 60_000
const SAY_EVERY_MS = 10_000

export const mirror: Fault = {
  name: 'mirror',
  injected: `kill -9 of one of ${ADDRESSES.length} processes every second or two while 48 writers change pets, and an import`,
  invariant: 'a mirror that began in the middle equals an export, row for row',
  quick: true,
  run: async (stage): Promise<Outcome> => {
    await using resources = new AsyncDisposableStack()
    const store = await openStore(stage, resources)
    const services = ADDRESSES.map(
      (address, i) => new ServiceProcess(stage.site, `service-${i + 1}`, address, store.databaseUrl),
    )
    for (const service of services) {
      service.start()
      resources.defer(() => service.end('SIGKILL'))
    }
    const times = stage.times ?? (stage.quick ? 1 : TIMES)
    const results: RunResult[] = []
    for (let run = 1; run <= times; run++) {
      const result = await mirrorOnce(stage, store, services)
      results.push(result)
      stage.say(`${run} of ${times}: ${result.acked} changes, ${result.kills} kills, ${result.pets} pets`)
    }
    const sum = (count: (result: RunResult) => number) => results.reduce((total, result) => total + count(result), 0)
    const failed = results.flatMap((result) => result.failed)
    return {
      times: results.length,
      acked: sum(({ acked }) => acked),
      lost: sum(({ different }) => different.length),
      twice: 0,
      failed: failed.length,
      ...(failed.length > 0 ? { failedBy: countsByCode({ failed }) } : {}),
      kills: sum(({ kills }) => kills),
      pets: results.map(({ pets }) => pets),
      broken: [
        ...results.flatMap(({ different }, i) =>
          different[0] ? [`mirror ${i + 1} differs in ${different.length} pets: ${different[0]}`] : [],
        ),
        ...brokenRejections({ failed, withoutRetryAfter: () => sum((result) => result.withoutRetryAfter) }),
      ],
    }
  },
}

interface RunResult {
  acked: number
  kills: number
  /** How many the mirror has at the end. */
  pets: number
  different: string[]
  failed: Writers['calls']['failed']
  withoutRetryAfter: number
}

async function mirrorOnce(stage: Stage, store: Store, services: ServiceProcess[]): Promise<RunResult> {
  await Promise.all(services.map((service) => service.ready()))
  const label = `mirror ${Date.now()}`
  const target = { baseUrl: `http://${ADDRESSES[0]}:8080/v1`, key: store.key, fetch: toAnyProcess }
  const client = createPetstore({ ...target, retries: Number.POSITIVE_INFINITY })
  const changes = stage.quick ? CHANGES_QUICK : CHANGES
  const writers = await Writers.start({ ...target, label })
  const reached = async (share: number) => {
    for (let saidAt = performance.now(); writers.acknowledged < share * changes; await sleep(50)) {
      if (performance.now() - saidAt < SAY_EVERY_MS) continue
      saidAt = performance.now()
      stage.say(`${writers.acknowledged} of ${changes} changes`)
    }
  }
  await using killing = killInTurn(services)
  await reached(0.1)
  const copy = new Map<bigint, PetRecord>()
  await using following = followInto(client, copy)
  await reached(0.5)
  await importPets(stage, store, label)
  await reached(1)
  await writers.stop()
  await killing[Symbol.asyncDispose]()
  let different: string[] = []
  const isEqual = async () => {
    different = differences(
      copy,
      await exportPets(stage, store),
      await Array.fromAsync(client.pets.list({ view: 'full' })),
    )
    return different.length === 0
  }
  await until('the mirror equals the export', EQUAL_WITHIN_MS, isEqual).catch((error: unknown) => {
    if (different.length === 0) different = [String(error)]
  })
  if (following.failure !== undefined) different.push(following.failure)
  const { acknowledged: acked, calls, withoutRetryAfter } = writers
  const { kills } = killing
  return { acked, kills, pets: copy.size, different, failed: calls.failed, withoutRetryAfter }
}

/** What a balancer would do, without its knowledge of who is alive. */
const toAnyProcess: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  url.hostname = ADDRESSES[Math.floor(Math.random() * ADDRESSES.length)] ?? url.hostname
  return await fetch(url, init)
}

function killInTurn(services: ServiceProcess[]) {
  const over = new AbortController()
  const state = { kills: 0 }
  const killing = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      const service = services[i % services.length] as ServiceProcess
      await service.end('SIGKILL')
      state.kills++
      service.start()
      await service.ready()
      await sleep(KILLED_EVERY_MS, undefined, { signal: over.signal }).catch(() => {})
    }
  })()
  killing.catch(() => {}) // awaited when it is over
  return {
    get kills() {
      return state.kills
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await killing
    },
  }
}

/** `failure` says why it could not continue. */
function followInto(client: Petstore, copy: Map<bigint, PetRecord>) {
  const over = new AbortController()
  const state: { failure?: string } = {}
  const following = (async () => {
    for await (const _ of client.mirror(copy, { signal: over.signal }));
  })().catch((error: unknown) => {
    if (!over.signal.aborted) state.failure = `the mirror of ${copy.size} pets failed: ${String(error)}`
  })
  return {
    get failure() {
      return state.failure
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await following
    },
  }
}

/** None of these pets has an event of its own. */
async function importPets({ site }: Stage, { databaseUrl }: Store, label: string) {
  const file = join(site.directory, 'import.ndjson')
  const lines = Array.from(
    { length: IMPORTED },
    (_, i) => `${JSON.stringify({ name: `${label} imported ${i}`, categoryId: 2 })}\n`,
  )
  await writeFile(file, lines.join(''))
  await petstore(databaseUrl, 'import', file)
}

async function exportPets({ site }: Stage, { databaseUrl }: Store) {
  const file = join(site.directory, 'export.ndjson')
  await petstore(databaseUrl, 'export', file, '--force')
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => toPet(parse(line) as Record<string, string | bigint>))
}

function toPet({ id, name, categoryId, status }: Record<string, string | bigint | undefined>): Pet {
  const pet = { id: BigInt(id ?? 0), name: String(name), categoryId: BigInt(categoryId ?? 0) }
  return status === undefined ? pet : { ...pet, status: status as NonNullable<Pet['status']> }
}
