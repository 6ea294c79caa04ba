import type { Clause, Setting } from './clause.ts'
import { InFlight } from './in-flight.ts'
import { type Keys, type OtherKey, PETS_KEY, READ_KEY } from './placeholders.ts'
import { Lost, outline, type Response, Violation } from './response.ts'
import { LOCAL_PROBE, PROBE, WEBHOOKS } from './webhooks.ts'
import { type Request, Wire } from './wire.ts'

const KEY_NAME = 'PETSTORE_KEY (or --key)'
const OTHER_KEYS: Record<OtherKey, { placeholder: string; name: string }> = {
  readKey: { placeholder: READ_KEY, name: 'PETSTORE_READ_KEY (or --read-key)' },
  petsKey: { placeholder: PETS_KEY, name: 'PETSTORE_PETS_KEY (or --pets-key)' },
}

/**
 * Checks what would fail every clause: no server, another server, or a key that does not work. Returns one sentence with
 * what was seen and what to do; undefined if the clauses can be tried.
 */
export async function firstLook(base: URL, keys: Keys, clauses: Clause[]): Promise<string | undefined> {
  using wire = new Wire(base, keys, new InFlight())
  try {
    // Without a key first: if this is another server, it learns none.
    const unkeyed = await wire.call({ path: '/pets', authorization: null })
    const moved = unkeyed.status >= 300 && unkeyed.status < 400 ? unkeyed.headers.get('location') : undefined
    if (moved !== undefined) return `${base.href} redirects to ${moved}: give that URL as --base-url.`
    const fault =
      faultInList(base, await wire.call({ path: '/pets' }), KEY_NAME) ??
      faultInWriting(base, await wire.call({ method: 'POST', path: '/pets', body: '{}', headers: JSON_TYPE }))
    if (fault !== undefined) return fault
    if (clauses.some(({ profile }) => profile === 'store'))
      for (const request of OF_THE_STORE) {
        const rejected = faultInScope(base, request, await wire.call(request))
        if (rejected !== undefined) return rejected
      }
    for (const needed of new Set(clauses.flatMap(({ needs }) => needs ?? []))) {
      const { placeholder, name } = OTHER_KEYS[needed]
      const rejected = faultInList(
        base,
        await wire.call({ path: '/pets', authorization: `Bearer ${placeholder}` }),
        name,
      )
      if (rejected !== undefined) return rejected
    }
    return undefined
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    return faultInConnection(base, error)
  }
}

const WHY_LEFT_OUT: Record<Setting, string> = {
  webhooks: 'about webhooks are left out: the service has no WEBHOOK_MASTER_SECRET',
  'local receivers':
    'about deliveries are left out: the service does not send webhooks to this machine over http, as `petstore dev` does',
  'public receivers': 'about URLs of webhooks are left out: the service sends webhooks to its own machine',
}

/** The clauses that can be tried on this service as its operator has set it up, and why others are left out. */
export async function applicable(base: URL, keys: Keys, clauses: Clause[]) {
  if (!clauses.some(({ setting }) => setting)) return { clauses, leftOut: [] }
  using wire = new Wire(base, keys, new InFlight())
  const look = (request: Request) => wire.call(request).catch((): Partial<Response> => ({}))
  const isConfigured = !(await look(PROBE)).text?.includes('"webhooks_not_configured"')
  const isLocal = (await look(LOCAL_PROBE)).status === 404
  const obstacleTo = ({ setting }: Clause): Setting | undefined => {
    if (setting === undefined) return undefined
    if (setting === 'public receivers') return isLocal ? setting : undefined
    if (!isConfigured) return 'webhooks'
    return setting === 'local receivers' && !(isLocal && isThisMachine(base)) ? setting : undefined
  }
  const left = Map.groupBy(clauses, obstacleTo)
  const leftOut = [...left].flatMap(([setting, those]) =>
    setting === undefined ? [] : [`${those.length} clauses ${WHY_LEFT_OUT[setting]}.`],
  )
  return { clauses: left.get(undefined) ?? [], leftOut }
}

/** What the service sends to its own machine would not arrive here otherwise. */
function isThisMachine({ hostname }: URL) {
  return /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname)
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
/** One for each scope of the store. They change nothing: no pet has this id, and no order can be placed without one. */
const OF_THE_STORE: Request[] = [
  { method: 'PATCH', path: '/pets/none', body: '{}', headers: JSON_TYPE },
  { method: 'DELETE', path: '/pets/none' },
  { path: '/store/orders?limit=1' },
  { method: 'POST', path: '/store/orders', body: '{}', headers: JSON_TYPE },
  { path: '/events?from=now' },
  { path: WEBHOOKS },
]

function faultInList({ href }: URL, response: Response, keyName: string) {
  const seen = `GET ${href.replace(/\/$/, '')}/pets returned ${outline(response)}`
  const { status, headers, text } = response
  if (status === 401 || status === 403)
    return `The key in ${keyName} was rejected: ${seen}. Check that it was issued by this server, and is complete, neither expired nor revoked.`
  if (status === 404) return `${seen}: check that --base-url ends with the version path, like http://127.0.0.1:8080/v1.`
  if (status === 429) return `${seen}: raise the rate limit of the key in ${keyName}, or try again later.`
  if (status !== 200) return `${seen} where 200 was expected: check the server's log, or whether this is the right URL.`
  if (isJson(text)) return undefined
  return `${seen} with a body that is not JSON (${headers.get('content-type') ?? 'no Content-Type'}): check that --base-url is the URL of a pet store API.`
}

/** Nothing is added: the body lacks what is required. */
function faultInWriting({ href }: URL, response: Response) {
  if (response.status !== 401 && response.status !== 403) return undefined
  return `The key in ${KEY_NAME} can read but not write: POST ${href.replace(/\/$/, '')}/pets returned ${outline(response)}. Use a key with both scopes, pets:read and pets:write.`
}

function faultInScope({ href }: URL, { method = 'GET', path }: Request, response: Response) {
  if (response.status !== 401 && response.status !== 403) return undefined
  return `The key in ${KEY_NAME} lacks a scope that --profile store needs: ${method} ${href.replace(/\/$/, '')}${path} returned ${outline(response)}. Use a key made with --scope all.`
}

function faultInConnection({ href, hostname, protocol }: URL, error: Violation) {
  const reason = error.response
  if (!(error instanceof Lost))
    return reason.startsWith('none')
      ? `The server at ${href} accepts connections but returned ${reason}: check whether it is hanging.`
      : `The server at ${href} returned ${reason}: check the port in --base-url, and whether it needs https.`
  const { code } = error
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host name ${hostname} does not resolve (${code}): check the spelling of --base-url.`
  if (protocol === 'https:' && /TLS|CERT|SSL|EPROTO|SIGNATURE/.test(code))
    return `TLS to ${href} failed (${code === 'EPROTO' ? code : reason}): use http if the server has no TLS, or set NODE_EXTRA_CA_CERTS to the file of its certificate authority.`
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return `The server at ${href} closed the connection without a response: check the port in --base-url, and whether it needs https.`
  return `Nothing listens at ${href} (${reason}): start the service there, or correct --base-url.`
}

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
