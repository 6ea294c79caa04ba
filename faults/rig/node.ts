import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { certificatesOf } from './certificates.ts'
import { setLink } from './network.ts'
import { AS_POSTGRES, addressOf, DEPLOY, enter, logOf, type NodeName, processesIn, type Site, signal } from './site.ts'
import { until } from './until.ts'

const STOPPED_WITHIN_MS = 60_000

/** A program that runs on a node. */
export type Program = 'etcd' | 'patroni' | 'postgres'

export interface NodeOptions {
  /** The driver by which Patroni speaks to etcd; deploy/ha has the first. */
  driver: 'etcd' | 'etcd3'
}

/** One machine of the cluster: etcd, Patroni and the PostgreSQL that Patroni runs. */
export class ClusterNode {
  readonly name: NodeName
  readonly address: string
  readonly environment: NodeJS.ProcessEnv
  readonly #site: Site

  constructor(site: Site, name: NodeName, { driver }: NodeOptions) {
    this.#site = site
    this.name = name
    this.address = addressOf(name)
    this.environment = environmentOf(site, name, driver)
  }

  get dataDirectory() {
    return join(this.#site.directory, this.name, 'postgresql')
  }

  get etcdDirectory() {
    return join(this.#site.directory, this.name, 'etcd')
  }

  get superuserUrl() {
    const { PATRONI_SUPERUSER_USERNAME: name, PATRONI_SUPERUSER_PASSWORD: password } = this.environment
    return `postgres://${name}:${password}@${this.address}:5432/postgres`
  }

  startEtcd() {
    this.#start('etcd', '/usr/bin/etcd', '--log-level', 'warn')
  }

  startPatroni() {
    this.#start('patroni', '/usr/bin/patroni', join(DEPLOY, 'patroni.yml'))
  }

  /** Asked on the node itself, with its certificate: no other host may ask. */
  async isEtcdHealthy() {
    const { ETCD_TRUSTED_CA_FILE: authority, ETCD_CERT_FILE: certificate, ETCD_KEY_FILE: key } = this.environment
    const identity = ['--cacert', `${authority}`, '--cert', `${certificate}`, '--key', `${key}`]
    const url = `https://${this.address}:2379/health`
    try {
      await this.#run('/usr/bin/curl', '--silent', '--fail', '--max-time', '1', ...identity, url)
      return true
    } catch {
      return false
    }
  }

  /** As an operator on this node: it connects to etcd, which no other host may. */
  async patronictl(args: string[], input = '') {
    const running = this.#run('/usr/bin/patronictl', '-c', join(DEPLOY, 'patroni.yml'), ...args)
    running.child.stdin?.end(input)
    return (await running).stdout
  }

  /** Its processes, by what they are. */
  async processes(...programs: Program[]) {
    const pids = await processesIn(this.#site, this.name)
    return pids.filter((pid) => programs.some((program) => nameOf(pid).startsWith(program)))
  }

  async signal(name: NodeJS.Signals, ...programs: Program[]) {
    signal(await this.processes(...programs), name)
  }

  /** As a crash of these programs: no one of them gets to say a word, and none is left when this returns. */
  async kill(...programs: Program[]) {
    // Patroni first, or it would see its PostgreSQL die.
    for (;;) {
      const pids = await this.processes(...programs)
      if (pids.length === 0) return
      signal(
        pids.toSorted((a, b) => Number(nameOf(b) === 'patroni') - Number(nameOf(a) === 'patroni')),
        'SIGKILL',
      )
      await new Promise(setImmediate)
    }
  }

  /** As `systemctl stop patroni`, which stops PostgreSQL too. */
  async stopPatroni() {
    await this.signal('SIGTERM', 'patroni')
    await until(`${this.name} has stopped`, STOPPED_WITHIN_MS, async () => {
      return (await this.processes('patroni', 'postgres')).length === 0
    })
  }

  /** Pulls its cable. */
  async unplug() {
    await setLink(this.#site, this.name, 'down')
  }

  async plugIn() {
    await setLink(this.#site, this.name, 'up')
  }

  #run(...command: string[]) {
    const [program, ...args] = [...enter(this.#site, this.name), ...command] as [string, ...string[]]
    return promisify(execFile)(program, args, { env: this.environment })
  }

  #start(name: string, ...command: string[]): ChildProcess {
    const log = openSync(logOf(this.#site, `${this.name}-${name}`), 'a')
    const [program, ...args] = [...enter(this.#site, this.name), ...AS_POSTGRES, ...command] as [string, ...string[]]
    const child = spawn(program, args, { env: this.environment, cwd: '/', stdio: ['ignore', log, log] })
    closeSync(log)
    return child
  }
}

/** As deploy/ha has it, but for the place where data and certificates lie: three nodes share one machine here. */
function environmentOf(site: Site, name: NodeName, driver: NodeOptions['driver']): NodeJS.ProcessEnv {
  const ofNode = readFileSync(join(DEPLOY, 'node.env'), 'utf8')
    .replaceAll('n1', name)
    .replaceAll(addressOf('n1'), addressOf(name))
  const ofCluster = readFileSync(join(DEPLOY, 'cluster.env'), 'utf8')
    .replaceAll('/etc/petstore/node.', join(certificatesOf(site), `${name}.`))
    .replaceAll('/etc/petstore', certificatesOf(site))
    .replaceAll('PATRONI_ETCD_', `PATRONI_${driver.toUpperCase()}_`)
  const place = join(site.directory, name)
  return {
    PATH: '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: place,
    ...parseEnv(ofCluster),
    ...parseEnv(ofNode),
    ETCD_DATA_DIR: join(place, 'etcd'),
    PATRONI_POSTGRESQL_DATA_DIR: join(place, 'postgresql'),
    PATRONI_POSTGRESQL_PGPASS: join(place, 'pgpass'),
  }
}

function nameOf(pid: number) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return '' // it has ended meanwhile
  }
}
