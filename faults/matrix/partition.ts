import { setTimeout as sleep } from 'node:timers/promises'
import { dropPackets, letPacketsPass } from '../rig/network.ts'
import { addressOf, NODE_NAMES } from '../rig/site.ts'
import type { Injection } from '../under-load.ts'

/** Longer than the ttl, so that the others give up a node that is cut off. */
const LASTS_MS = 12_000

/** It keeps running, and finds itself alone. */
export const partitionPrimary: Injection = {
  name: 'partition',
  injected: 'the cable of the primary is pulled, and put back',
  times: 20,
  inject: async ({ cluster }) => {
    const primary = await cluster.leader()
    await primary.unplug()
    await Promise.all([cluster.leaderInsteadOf(primary), sleep(LASTS_MS)])
    await primary.plugIn()
  },
}

export const partitionStandby: Injection = {
  name: 'partition-standby',
  injected: 'the cable of the synchronous standby is pulled, and put back',
  times: 10,
  inject: async ({ cluster }) => {
    const standby = await cluster.syncStandby()
    await standby.unplug()
    await sleep(LASTS_MS)
    await standby.plugIn()
  },
}

/** Its PostgreSQL is reachable, but it can no longer prove that it leads. */
export const partitionEtcd: Injection = {
  name: 'partition-etcd',
  injected: 'nft drops traffic between the primary and etcd',
  times: 10,
  inject: async ({ site, cluster }) => {
    const primary = await cluster.leader()
    const ports = '{ 2379, 2380 }'
    await dropPackets(site, primary.name, [`tcp sport ${ports}`, `tcp dport ${ports}`])
    await Promise.all([cluster.leaderInsteadOf(primary), sleep(LASTS_MS)])
    await letPacketsPass(site, primary.name)
  },
}

/** The nodes see each other, but the balancer does not see them. */
export const partitionBalancer: Injection = {
  name: 'partition-balancer',
  injected: 'nft drops traffic between the balancer and the nodes',
  times: 10,
  inject: async ({ site }) => {
    await dropPackets(site, 'balancer', [`ip saddr { ${NODE_NAMES.map(addressOf).join(', ')} }`])
    await sleep(LASTS_MS)
    await letPacketsPass(site, 'balancer')
  },
}

/** What was acknowledged while no standby could follow would be lost with the primary. */
export const replicationCut: Injection = {
  name: 'replication-cut',
  injected: 'nft drops replication for 2 s, then the primary is killed',
  times: 10,
  inject: async ({ site, cluster }) => {
    const primary = await cluster.leader()
    const others = NODE_NAMES.filter((name) => name !== primary.name).map(addressOf)
    await dropPackets(site, primary.name, [`ip saddr { ${others.join(', ')} } tcp dport 5432`])
    await sleep(2_000)
    await primary.kill('patroni', 'postgres')
    await letPacketsPass(site, primary.name)
    await cluster.leaderInsteadOf(primary)
    primary.startPatroni()
  },
}
