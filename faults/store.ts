import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgres } from '../src/cli/dev/embedded-postgres.ts'
import type { Stage } from './fault.ts'
import { Balancer, SERVICE_URL } from './rig/balancer.ts'
import { createKey, petstore, ServiceProcess } from './rig/service.ts'
import { SERVICE_ADDRESSES } from './rig/site.ts'
import { until } from './rig/until.ts'

/** One PostgreSQL, for faults that lie elsewhere than in the cluster. */
export interface Store {
  databaseUrl: string
  key: string
}

// As in production: fsync and synchronous_commit stay on. There is room for WAL, so that no checkpoint falls into a round.
const SETTINGS = ['max_wal_size=8GB', 'checkpoint_timeout=30min']

/** A store that is empty and gone with `resources`. */
export async function openStore({ site }: Stage, resources: AsyncDisposableStack): Promise<Store> {
  await mkdir(join(site.directory, 'log'), { recursive: true })
  const directory = await mkdtemp(join(site.directory, 'store-'))
  resources.defer(() => rm(directory, { recursive: true }))
  const { url: databaseUrl } = resources.use(await EmbeddedPostgres.start(directory, SETTINGS))
  await petstore(databaseUrl, 'migrate')
  return { databaseUrl, key: await createKey(databaseUrl) }
}

/** Processes of the service where the balancer of deploy/ha looks for them, and ready; gone with `resources`. */
export async function startServices(
  { site }: Stage,
  resources: AsyncDisposableStack,
  databaseUrl: string,
  { count = 1, environment = {} }: { count?: number; environment?: NodeJS.ProcessEnv } = {},
) {
  const services = SERVICE_ADDRESSES.slice(0, count).map(
    (address, i) => new ServiceProcess(site, `service-${i + 1}`, address, databaseUrl, environment),
  )
  for (const service of services) {
    service.start()
    resources.defer(() => service.end('SIGKILL'))
  }
  await Promise.all(services.map((service) => service.ready()))
  return services
}

/** The balancer of deploy/ha, in front of the processes at the addresses that it expects. */
export async function startBalancer({ site }: Stage, resources: AsyncDisposableStack) {
  const balancer = new Balancer(site)
  balancer.start()
  resources.defer(() => balancer.kill())
  await until('the balancer forwards requests', 20_000, async () => {
    return (await fetch(`${SERVICE_URL}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok
  })
}

/** Where the operations of a process are. */
export function baseUrlOf({ address }: ServiceProcess) {
  return `http://${address}:8080/v1`
}
