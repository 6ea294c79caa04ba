import { BlockList, isIP, isIPv6 } from 'node:net'

/** Addresses and networks like `10.0.0.254,10.1.0.0/16,fd00::/8`; undefined for any other text. */
export function parseNetworks(text: string): BlockList | undefined {
  const networks = new BlockList()
  for (const part of text.split(',')) {
    const { address = '', bits } = /^(?<address>[^/]*)(?:\/(?<bits>[0-9]{1,3}))?$/.exec(part.trim())?.groups ?? {}
    const family = familyOf(address)
    const mostBits = isIPv6(address) ? 128 : 32
    if (family === undefined || Number(bits ?? 0) > mostBits) return undefined
    networks.addSubnet(address, Number(bits ?? mostBits), family)
  }
  return networks
}

const MAX_HOPS = 16
const MAX_FORWARDED = 64 * MAX_HOPS

/**
 * Who is calling: whoever is at the other end of the connection. If that is a proxy of ours, whom it says it was called by,
 * and so on to the first that is none of ours: anybody can write anything before that. Undefined where none of ours tells.
 */
export function clientAddress(peer: string, forwardedFor = '', proxies?: BlockList) {
  // The last ones tell: nobody has more proxies of its own than this.
  const nearest = forwardedFor.slice(-MAX_FORWARDED).split(',').toReversed()
  for (const text of [peer, ...nearest.slice(0, MAX_HOPS)]) {
    const address = plain(text.trim())
    const family = familyOf(address)
    if (family === undefined) return undefined
    if (!proxies?.check(address, family)) return address
  }
  return undefined
}

/** What one caller has for itself: an address of IPv4; of IPv6 the first half, since the rest is its own to choose. */
export function ownNetwork(address: string) {
  if (!isIPv6(address)) return address
  // The one way to write it that all agree on; only an address that is none outside of its machine has no such.
  const canonical = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address
  const [head = '', tail] = canonical.split('::')
  const before = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4).join(':')
}

/** The network of an address as people write it: an address of IPv4, or the /64 of one of IPv6. */
export function networkName(address: string) {
  return isIPv6(address) ? `${ownNetwork(address)}::/64` : address
}

/** Without the port that some proxies add, and IPv4 as such, also where a socket of IPv6 tells of it. */
function plain(address: string) {
  const { bare = address } = /^(?:\[(?<bare>.*)\]|(?<bare>[0-9.]+))(?::[0-9]+)?$/.exec(address)?.groups ?? {}
  return bare.replace(/^::ffff:(?=[0-9.]+$)/i, '')
}

function familyOf(address: string) {
  return isIP(address) === 0 ? undefined : isIPv6(address) ? 'ipv6' : 'ipv4'
}
