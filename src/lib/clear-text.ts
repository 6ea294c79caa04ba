import { type StoreAddress, URL_VARIABLES } from './ids/store-address.ts'

// Our driver uses TLS for `prefer`; other drivers, and the name, allow a connection without.
const WITHOUT_TLS = ['disable', 'allow', 'prefer']
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']

interface UsedServers {
  stores: readonly { address: StoreAddress; databaseUrl: string }[]
  redisUrl: string | undefined
}

/** A warning for each server on another host that is used without TLS. Contains nothing of the URL, which may be secret. */
export function clearTextWarnings({ stores, redisUrl }: UsedServers) {
  const redis = redisUrl === undefined ? null : URL.parse(redisUrl)
  return [
    ...stores.flatMap(({ address, databaseUrl }) => {
      const database = URL.parse(databaseUrl)
      if (!database || !isRemote(database) || requiresTls(database)) return []
      return `${URL_VARIABLES[address]} points to another host and does not require TLS: the password and all data can be read in transit. Add sslmode=verify-full.`
    }),
    ...(redis && isRemote(redis) && redis.protocol !== 'rediss:'
      ? [
          'REDIS_URL points to another host without TLS: its password can be read in transit. Use rediss:// instead of redis://.',
        ]
      : []),
  ]
}

/** Neither this host nor a Unix socket, whose path replaces the host. */
function isRemote({ hostname, searchParams }: URL) {
  const host = decodeURIComponent(searchParams.get('host') ?? hostname)
  return !/^(?:$|\/|localhost$|127\.|\[?::1\]?$)/i.test(host)
}

function requiresTls({ searchParams }: URL) {
  if (WITHOUT_TLS.includes(searchParams.get('sslmode') ?? '')) return false
  return (
    TLS_PARAMETERS.some((name) => searchParams.get(name)) ||
    ['true', '1'].includes(searchParams.get('ssl') ?? '') ||
    searchParams.get('sslnegotiation') === 'direct'
  )
}
