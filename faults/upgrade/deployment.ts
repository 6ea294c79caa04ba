import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MASTER_SECRET } from '../../bench/webhooks/rows.ts'
import { EmbeddedPostgres } from '../../src/cli/dev/embedded-postgres.ts'
import type { Stage } from '../fault.ts'
import { petstoreOf, ServiceProcess } from '../rig/service.ts'
import { SERVICE_ADDRESSES } from '../rig/site.ts'
import { until } from '../rig/until.ts'
import { startBalancer } from '../store.ts'
import { query } from '../stored.ts'
import type { Version } from './versions.ts'

/** Twice what the balancer needs to see that a process is back. */
const SEEN_BY_BALANCER_MS = 1_000
const WORDS_WITHIN_MS = 600_000
// The last release has fewer.
const OWN_ROLES = `select rolname from pg_roles where starts_with(rolname, 'petstore_')`
const PASSWORD = 'of-this-run-only'

/** PostgreSQL with the roles of deploy/postgres, and processes of one version or another behind the balancer. */
export class Deployment {
  /** Of the superuser. */
  readonly databaseUrl: string
  readonly services: ServiceProcess[]
  readonly #skipsDrain: boolean

  private constructor(databaseUrl: string, services: ServiceProcess[], skipsDrain: boolean) {
    this.databaseUrl = databaseUrl
    this.services = services
    this.#skipsDrain = skipsDrain
  }

  /** With a schema and processes of this version; gone with `resources`. */
  static async start(stage: Stage, version: Version, count: number, resources: AsyncDisposableStack) {
    const { site, skipsDrain } = stage
    const directory = await mkdtemp(join(site.directory, 'store-'))
    resources.defer(() => rm(directory, { recursive: true }))
    const { url } = resources.use(await EmbeddedPostgres.start(directory, ['max_wal_size=8GB']))
    await mkdir(join(site.directory, 'log'), { recursive: true })
    const environment = { WEBHOOK_MASTER_SECRET: MASTER_SECRET, WEBHOOK_NETWORKS: '127.0.0.0/8' }
    const services = SERVICE_ADDRESSES.slice(0, count).map(
      (address, i) => new ServiceProcess(site, `service-${i + 1}`, address, as(url, 'service'), environment),
    )
    const deployment = new Deployment(url, services, skipsDrain)
    await deployment.migrate(version)
    for (const service of services) {
      service.start(version.program)
      resources.defer(() => service.end('SIGKILL'))
    }
    await Promise.all(services.map((service) => service.ready()))
    await startBalancer(stage, resources)
    return deployment
  }

  /** As docs/operations.md has it: the roles, the schema, and the rights. Returns the seconds that `petstore migrate` took. */
  async migrate({ program, sql }: Version) {
    await query(this.databaseUrl, await sql('roles'))
    for (const { rolname } of await query<{ rolname: string }>(this.databaseUrl, OWN_ROLES))
      await query(this.databaseUrl, `alter role ${rolname} password '${PASSWORD}'`)
    const begun = performance.now()
    await petstoreOf(program, { DATABASE_URL: this.urlOf('owner') }, 'migrate')
    const seconds = Number(((performance.now() - begun) / 1_000).toFixed(1))
    await query(this.databaseUrl, `set role petstore_owner; ${await sql('grants')}`)
    return seconds
  }

  urlOf(role: 'owner' | 'service' | 'deliver') {
    return as(this.databaseUrl, role)
  }

  /** One process after the other. Returns when the last of the former version had ended. */
  async replace({ program }: Version, services = this.services) {
    let endedAt = performance.now()
    for (const service of services) {
      await service.end(this.#skipsDrain ? 'SIGKILL' : 'SIGTERM')
      endedAt = performance.now()
      service.start(program)
      await service.ready()
      await sleep(SEEN_BY_BALANCER_MS)
    }
    return endedAt
  }

  async stop() {
    await Promise.all(this.services.map((service) => service.end('SIGTERM')))
  }

  /** Until all pets can be found by their names. */
  async untilWorded() {
    await until('all pets have their words', WORDS_WITHIN_MS, async () => {
      const texts = this.services.map(async ({ address }) => (await fetch(`http://${address}:9090/metrics`)).text())
      return (await Promise.all(texts)).every((text) => /^petstore_search_pets_left 0$/m.test(text))
    })
  }
}

function as(databaseUrl: string, role: string) {
  const url = new URL(databaseUrl)
  url.username = `petstore_${role}`
  url.password = PASSWORD
  return url.href
}
