import { join } from 'node:path'
import {
  addressOf,
  BALANCER_ADDRESS,
  CALLER_ADDRESSES,
  DEPLOY,
  NODE_NAMES,
  type NodeName,
  namespaceOf,
  type Place,
  run,
  runIn,
  SERVICE_ADDRESSES,
  type Site,
} from './site.ts'

/** A namespace for each place, joined by a bridge in the balancer's. The machine sees nothing of it. */
export async function layNetwork(site: Site) {
  const balancer = namespaceOf(site, 'balancer')
  await run('ip', 'netns', 'add', balancer)
  const inBalancer = (...command: string[]) => run('ip', '-n', balancer, ...command)
  await inBalancer('link', 'set', 'lo', 'up')
  await inBalancer('link', 'add', 'bridge', 'type', 'bridge')
  for (const address of [BALANCER_ADDRESS, ...SERVICE_ADDRESSES, ...CALLER_ADDRESSES])
    await inBalancer('addr', 'add', `${address}/24`, 'dev', 'bridge')
  await inBalancer('link', 'set', 'bridge', 'up')
  for (const place of [...NODE_NAMES, 'intruder'] as const) {
    const namespace = namespaceOf(site, place)
    await run('ip', 'netns', 'add', namespace)
    await run('ip', 'link', 'add', place, 'netns', balancer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    await inBalancer('link', 'set', place, 'master', 'bridge', 'up')
    await run('ip', '-n', namespace, 'link', 'set', 'lo', 'up')
    await run('ip', '-n', namespace, 'addr', 'add', `${addressOf(place)}/24`, 'dev', 'eth0')
    await run('ip', '-n', namespace, 'link', 'set', 'eth0', 'up')
  }
  for (const node of NODE_NAMES) await runIn(site, node, 'nft', '--file', join(DEPLOY, 'nftables.conf'))
}

/** Pulls the cable of a node, or puts it back. */
export async function setLink(site: Site, node: NodeName, state: 'up' | 'down') {
  await run('ip', '-n', namespaceOf(site, node), 'link', 'set', 'eth0', state)
}

/**
 * Drops packets in a place, both ways, without notifying either side. `match` is in the language of nft and selects the
 * packets that come in by, for example, `ip saddr 10.0.0.2`; for those that go out, source and destination change places.
 */
export async function dropPackets(site: Site, place: Place, matches: string[]) {
  const rules = (all: string[]) => all.map((match) => `${match} drop;`).join(' ')
  await runIn(
    site,
    place,
    'nft',
    `table inet faults {
      chain in { type filter hook input priority 0; ${rules(matches)} }
      chain out { type filter hook output priority 0; ${rules(matches.map(turned))} }
    }`,
  )
}

export async function letPacketsPass(site: Site, place: Place) {
  await runIn(site, place, 'nft', 'delete table inet faults')
}

function turned(match: string) {
  const others: Record<string, string> = { saddr: 'daddr', daddr: 'saddr', sport: 'dport', dport: 'sport' }
  return match.replaceAll(/\b(?:saddr|daddr|sport|dport)\b/g, (word) => others[word] ?? word)
}
