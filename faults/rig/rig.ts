import { chown, mkdir } from 'node:fs/promises'
import pg from 'pg'
import { Balancer, SERVICE_URL } from './balancer.ts'
import { Cluster, type ClusterOptions } from './cluster.ts'
import { createKey, petstore, ServiceProcess } from './service.ts'
import { BALANCER_ADDRESS, NODE_NAMES, run, SERVICE_ADDRESSES, type Site } from './site.ts'
import { until } from './until.ts'

/** The whole of deploy/ha on one machine: three nodes, a balancer, and three processes of the service behind it. */
export interface Rig {
  site: Site
  cluster: Cluster
  balancer: Balancer
  services: ServiceProcess[]
  /** The primary, through the balancer. */
  databaseUrl: string
  /** The service, through the balancer. */
  baseUrl: string
  key: string
  /** Waits until nothing is missing and the service is reachable. */
  whole: () => Promise<void>
}

const DATABASE_URL = `postgres://petstore:petstore@${BALANCER_ADDRESS}:5000/petstore`

/** Runs in the balancer's namespace. The process that created the network stops everything, so nothing is stopped here. */
export async function putUpRig(site: Site, options: ClusterOptions): Promise<Rig> {
  await makeDirectories(site)
  const cluster = new Cluster(site, options)
  const balancer = new Balancer(site)
  await cluster.start()
  balancer.start()
  await createDatabase(cluster)
  await petstore(DATABASE_URL, 'migrate')
  const key = await createKey(DATABASE_URL)
  const services = SERVICE_ADDRESSES.map(
    (address, i) => new ServiceProcess(site, `service-${i + 1}`, address, DATABASE_URL),
  )
  for (const service of services) service.start()
  const whole = async () => {
    await cluster.whole()
    await Promise.all(services.map((service) => service.ready()))
    await until('the balancer forwards requests', 60_000, async () => {
      return (await fetch(`${SERVICE_URL}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok
    })
  }
  await whole()
  return { site, cluster, balancer, services, databaseUrl: DATABASE_URL, baseUrl: `${SERVICE_URL}/v1`, key, whole }
}

async function makeDirectories({ directory }: Site) {
  const [uid, gid] = [await idOf('-u'), await idOf('-g')]
  await mkdir(`${directory}/log`, { recursive: true })
  await chown(directory, uid, gid)
  for (const node of NODE_NAMES) {
    await mkdir(`${directory}/${node}`, { mode: 0o700 })
    await chown(`${directory}/${node}`, uid, gid)
  }
}

async function idOf(kind: '-u' | '-g') {
  return Number(await run('id', kind, 'postgres'))
}

async function createDatabase(cluster: Cluster) {
  const { superuserUrl } = await cluster.leader()
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  await client.query("create role petstore login password 'petstore'")
  await client.query('create database petstore owner petstore')
  await client.end()
}
