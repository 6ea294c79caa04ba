import type { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP, type Socket, connect as tcpConnect } from 'node:net'
import { createSecureContext, type SecureContext, connect as tlsConnect } from 'node:tls'
import { faultInReceiver, hostOf, isAllowed, isLocalName, type ReceiverRules } from '../lib/receivers.ts'

/** Resolves names. Not `dns.lookup`: its calls share a few threads, and one slow name server could take them all. */
export type NameResolver = Pick<Resolver, 'resolve4' | 'resolve6'>

/** No connection was made, for a reason that clients may know. */
export class NoConnection extends Error {
  override name = 'NoConnection'
}

/** No connection is tried, because the rules of the operator forbid the URL itself. */
export class UrlNotAllowed extends NoConnection {
  override name = 'UrlNotAllowed'
}

/** Shared by the connections to one receiver: the TLS session that the next one resumes, which saves both sides most of a handshake. */
export interface Shared {
  session?: Buffer
}

// As many as can be tried within the time of a request. Name servers rotate their order, so the next request tries others.
const MAX_ADDRESSES = 3

/**
 * Connects to the receiver of a webhook. Resolves the name, checks each address and connects to a checked one, so a name that changes a
 * moment later gains nothing.
 */
export async function connectTo(
  url: URL,
  rules: ReceiverRules,
  resolver: NameResolver,
  shared: Shared,
  closing: AbortSignal,
  addressMs: number,
) {
  const fault = faultInReceiver(url.href, rules)
  if (fault !== undefined) throw new UrlNotAllowed(`The URL is not allowed: it ${fault}.`)
  const host = hostOf(url)
  const addresses = await addressesOf(host, rules, resolver)
  if (!addresses.every((address) => isAllowed(address, rules)))
    throw new NoConnection('The name resolves to an address that is not allowed.')
  closing.throwIfAborted()
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port || (isSecure ? 443 : 80))
  const socket = await connectToAny(addresses.slice(0, MAX_ADDRESSES), port, closing, addressMs)
  return isSecure
    ? await secured(socket, host, shared, AbortSignal.any([closing, AbortSignal.timeout(addressMs)]))
    : socket
}

async function addressesOf(host: string, rules: ReceiverRules, resolver: NameResolver) {
  if (isIP(host) !== 0) return [host]
  if (isLocalName(host) && rules.allowsLocal) return ['127.0.0.1']
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = found.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  if (addresses.length === 0) throw new NoConnection('The name could not be resolved.')
  return addresses
}

async function connectToAny(addresses: readonly string[], port: number, closing: AbortSignal, addressMs: number) {
  let failure: unknown
  for (const address of addresses) {
    const socket = tcpConnect({ host: address, port, noDelay: true })
    try {
      return await opened(socket, 'connect', AbortSignal.any([closing, AbortSignal.timeout(addressMs)]))
    } catch (error) {
      closing.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

async function secured(socket: Socket, host: string, shared: Shared, closing: AbortSignal) {
  const name = host.replace(/\.$/, '')
  const secure = tlsConnect({
    socket,
    // The certificate is checked against it. An address is not sent to the receiver.
    ...(isIP(name) === 0 ? { servername: name } : { host: name }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    secureContext: secureContext(),
    ...shared,
  })
  // Emitted only if the certificate is valid.
  secure.on('session', (session: Buffer) => {
    shared.session = session
  })
  return await opened(secure, 'secureConnect', closing)
}

let sharedContext: SecureContext | undefined

/** One for all connections: each context holds all root certificates. */
function secureContext() {
  sharedContext ??= createSecureContext()
  return sharedContext
}

async function opened<Opened extends Socket>(socket: Opened, event: string, signal: AbortSignal) {
  try {
    await once(socket, event, { signal })
    return socket
  } catch (error) {
    socket.on('error', () => {})
    socket.destroy()
    throw error
  }
}
