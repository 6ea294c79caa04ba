import { ClusterNode, type NodeOptions } from './node.ts'
import { NODE_NAMES, type Site } from './site.ts'
import { until } from './until.ts'

interface Member {
  name: string
  role: string
  state: string
  timeline?: number
  lag?: number | string
}

/** Generous: nothing of this takes a minute unless it has failed. */
const WHOLE_WITHIN_MS = 120_000
const SWITCHED_WITHIN_MS = 30_000

export interface ClusterOptions extends NodeOptions {
  /** Whether a commit waits for a standby; deploy/ha has it so. */
  synchronous: boolean
}

/** Three nodes, of which one leads. */
export class Cluster {
  readonly nodes: ClusterNode[]
  readonly #synchronous: boolean

  constructor(site: Site, options: ClusterOptions) {
    this.#synchronous = options.synchronous
    this.nodes = NODE_NAMES.map((name) => new ClusterNode(site, name, options))
  }

  async start() {
    for (const node of this.nodes) node.startEtcd()
    await until('etcd has a quorum', WHOLE_WITHIN_MS, () => this.#isEtcdHealthy())
    for (const node of this.nodes) node.startPatroni()
    if (!this.#synchronous) await this.configure({ synchronous_mode: false, synchronous_mode_strict: false })
    await this.whole()
  }

  /** The node whose PostgreSQL takes writes, as Patroni there says. */
  async leader(): Promise<ClusterNode> {
    return await until('some node leads', WHOLE_WITHIN_MS, () => this.#findLeader())
  }

  /** Waits until another node than this one leads. */
  async leaderInsteadOf(node: ClusterNode): Promise<ClusterNode> {
    return await until(`another node than ${node.name} leads`, WHOLE_WITHIN_MS, async () => {
      const leader = await this.#findLeader(node)
      return leader && (await this.#members(leader))?.find(({ role }) => role === 'leader')?.name === leader.name
        ? leader
        : undefined
    })
  }

  /** The standby that every commit waits for. */
  async syncStandby(): Promise<ClusterNode> {
    return await until('a synchronous standby exists', WHOLE_WITHIN_MS, async () => {
      const members = (await this.#membersOfAny()) ?? []
      const name = members.find(({ role }) => role === 'sync_standby')?.name
      return this.nodes.find((node) => node.name === name)
    })
  }

  /** Waits until nothing is missing: three of etcd, three members in step, one of them a synchronous standby. */
  async whole() {
    await until('the cluster is whole again', WHOLE_WITHIN_MS, async () => {
      return (
        (await this.#isEtcdHealthy()) &&
        (await this.#isPatroniHealthy()) &&
        isWhole((await this.#membersOfAny()) ?? [], this.#synchronous)
      )
    })
  }

  /** Hands the lead over to this standby, which must be the synchronous one. */
  async switchover(candidate: ClusterNode) {
    const leader = await this.leader()
    const args = ['switchover', '--leader', leader.name, '--candidate', candidate.name, '--force']
    // Patroni rejects it while etcd is slow for a moment; nothing has happened then.
    await until(`Patroni switches over to ${candidate.name}`, SWITCHED_WITHIN_MS, async () => {
      const stdout = await leader.patronictl(args)
      // It exits with 0 even when it was rejected.
      if (!/successfully switched over/i.test(stdout)) throw new Error(stdout)
      return true
    })
  }

  /** All nodes, the leader last: no other one must take the lead meanwhile. */
  async stop() {
    const leader = await this.leader()
    for (const node of this.nodes.filter((other) => other !== leader)) await node.stopPatroni()
    await leader.stopPatroni()
  }

  /** Lets etcd forget it, as `patronictl remove` does: the node that starts next leads, and the others copy from it. */
  async forget() {
    const [node] = this.nodes as [ClusterNode]
    await node.patronictl(['remove', 'petstore'], 'petstore\nYes I am aware\n')
  }

  /** Changes what the whole cluster is set to, as `patronictl edit-config` does. */
  async configure(change: Record<string, unknown>) {
    const leader = await this.leader()
    await leader.patronictl(['edit-config', '--force', '--apply', '-'], JSON.stringify(change))
  }

  /** The configuration of the whole cluster, as it is in etcd. */
  async configuration() {
    const response = await ask(`https://${(await this.leader()).address}:8008/config`)
    return (await response?.json()) as Record<string, unknown>
  }

  async #findLeader(except?: ClusterNode) {
    const asked = this.nodes.filter((node) => node !== except)
    const leads = await Promise.all(asked.map(async ({ address }) => await responds(`https://${address}:8008/primary`)))
    return asked.find((_, i) => leads[i])
  }

  /** What each node says of itself; what its neighbours know of it may be some seconds old. */
  async #isPatroniHealthy() {
    const health = this.nodes.map(async ({ address }) => await responds(`https://${address}:8008/health`))
    return (await Promise.all(health)).every(Boolean)
  }

  async #isEtcdHealthy() {
    const health = this.nodes.map(async (node) => await node.isEtcdHealthy())
    return (await Promise.all(health)).every(Boolean)
  }

  async #membersOfAny() {
    const leader = await this.#findLeader()
    return leader && (await this.#members(leader))
  }

  async #members({ address }: ClusterNode): Promise<Member[] | undefined> {
    const response = await ask(`https://${address}:8008/cluster`)
    return response?.ok ? ((await response.json()) as { members: Member[] }).members : undefined
  }
}

function isWhole(members: Member[], synchronous: boolean) {
  const timeline = members.find(({ role }) => role === 'leader')?.timeline
  return (
    members.length === NODE_NAMES.length &&
    members.some(({ role }) => role === (synchronous ? 'sync_standby' : 'replica')) &&
    members.every((member) => ['running', 'streaming'].includes(member.state) && member.timeline === timeline) &&
    members.every(({ role, lag }) => role === 'leader' || typeof lag === 'number')
  )
}

async function responds(url: string) {
  const response = await ask(url)
  await response?.body?.cancel()
  return response?.ok === true
}

/** Does not wait for a node that is gone or frozen. */
async function ask(url: string) {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(1_000), headers: { connection: 'close' } })
  } catch {
    return undefined
  }
}
