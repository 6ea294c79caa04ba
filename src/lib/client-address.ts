import { BlockList, isIP, isIPv6 } from 'node:net'

/** Parses addresses and networks like `10.0.0.254,10.1.0.0/16,fd00::/8`; undefined for any other text. */
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
 * The IP address of the client: the peer of the connection; if that is a trusted proxy, the last entry of X-Forwarded-For,
 * and so on to the first that is not trusted, since a client can write anything before it. Undefined if there is no such entry.
 */
export function clientAddress(peer: string, forwardedFor: string | string[] = '', proxies?: BlockList) {
  // No deployment has a longer chain of trusted proxies than this.
  const nearest = String(forwardedFor).slice(-MAX_FORWARDED).split(',').toReversed()
  for (const text of [peer, ...nearest.slice(0, MAX_HOPS)]) {
    const address = plain(text.trim())
    const family = familyOf(address)
    if (family === undefined) return undefined
    if (!proxies?.check(address, family)) return address
  }
  return undefined
}

/** The network that one client controls: its IPv4 address, or the /64 of its IPv6 address, within which it can choose any. */
export function ownNetwork(address: string) {
  if (!isIPv6(address)) return address
  // The canonical form; an address with a zone, which is valid on one machine only, has none.
  const canonical = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address
  const [head = '', tail] = canonical.split('::')
  const before = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4).join(':')
}

interface Incoming {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: { readonly [name: string]: string | string[] | undefined }
}

/** The network of a client in the usual notation, if it is known: the IPv4 address, or the /64 of an IPv6 address. */
export function networkOf({ socket, headers }: Incoming, proxies?: BlockList) {
  const address = clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'], proxies)
  return address !== undefined && isIPv6(address) ? `${ownNetwork(address)}::/64` : address
}

/** Removes the port that some proxies add, and the ::ffff: prefix of an IPv4 address on an IPv6 socket. */
function plain(address: string) {
  const { bare = address } = /^(?:\[(?<bare>.*)\]|(?<bare>[0-9.]+))(?::[0-9]+)?$/.exec(address)?.groups ?? {}
  return bare.replace(/^::ffff:(?=[0-9.]+$)/i, '')
}

function familyOf(address: string) {
  return isIP(address) === 0 ? undefined : isIPv6(address) ? 'ipv6' : 'ipv4'
}
