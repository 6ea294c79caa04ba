import { BlockList, isIP, isIPv6 } from 'node:net'

/** Which receivers are allowed besides public addresses. */
export interface ReceiverRules {
  /** The store's own networks, where receivers may be. */
  networks: BlockList | undefined
  /** `petstore dev` only: http, and this machine. */
  allowsLocal: boolean
}

const MAX_LENGTH = 2_048
const FIRST_UNPRIVILEGED_PORT = 1_024

/** Why a URL may not receive webhooks, as the end of a sentence; undefined if it may. */
export function faultInReceiver(text: string, rules: ReceiverRules): string | undefined {
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`
  // The parser would remove or escape other characters. A long host in another script would take it 14 ms.
  if (!/^[!-~]*$/.test(text))
    return 'must consist of visible ASCII characters: escape others with %, and write a host in other scripts as xn--…'
  // The parser reads a backslash as a slash, and requires neither.
  const url = /^\w+:\/\/[^\\]*$/.test(text) ? URL.parse(text) : null
  if (!url) return 'must be a URL like https://shop.example/hooks'
  if (url.protocol !== 'https:' && !(rules.allowsLocal && url.protocol === 'http:')) return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
  // An empty one is none to the parser.
  if (text.includes('#')) return 'must not have a fragment'
  const port = Number(url.port || 443)
  if (port !== 443 && port < FIRST_UNPRIVILEGED_PORT && !rules.allowsLocal)
    return 'must have the port 443, or one from 1024'
  const host = hostOf(url)
  if (isIP(host) !== 0) return isAllowed(host, rules) ? undefined : 'must not be a private or reserved address'
  return isLocalName(host) && !rules.allowsLocal ? 'must not name this machine' : undefined
}

/** The host of a URL, an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL) {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

export function isLocalName(host: string) {
  return /^(?:.+\.)?localhost\.?$/.test(host)
}

/** Whether a connection to this address may be made. */
export function isAllowed(address: string, { networks, allowsLocal }: ReceiverRules) {
  // A BlockList contains only addresses, so it would not block other text.
  if (isIP(address) === 0) return false
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (!NOT_PUBLIC[family].check(address, family)) return true
  return (networks?.check(address, family) ?? false) || (allowsLocal && LOOPBACK.check(address, family))
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

// Everything but global unicast, by the registries of special-purpose addresses of IANA. One list for each family: an IPv4 address is
// in the network of IPv6 addresses that carry one.
const NOT_PUBLIC = {
  ipv4: blockListOf('ipv4', [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24', // 6to4 relays
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/3', // multicast, reserved, broadcast
  ]),
  ipv6: blockListOf('ipv6', [
    '::/3', // loopback, and what carries an IPv4 address: mapped, compatible, NAT64
    '2001::/23', // Teredo, ORCHID
    '2001:db8::/32',
    '2002::/16', // 6to4
    '3fff::/20',
    '4000::/2',
    '8000::/1', // unique local, link local, multicast
  ]),
}

function blockListOf(family: 'ipv4' | 'ipv6', networks: readonly string[]) {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
