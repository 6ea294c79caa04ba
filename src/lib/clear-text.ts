// Our driver uses TLS for `prefer`; other drivers, and the name, allow a connection without.
const WITHOUT_TLS = ['disable', 'allow', 'prefer']
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/** A warning for each server on another host that is used without TLS. Contains nothing of the URL, which may be secret. */
export function clearTextWarnings({ databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string | undefined }) {
  const [database, redis] = [URL.parse(databaseUrl), redisUrl === undefined ? null : URL.parse(redisUrl)]
  return [
    ...(database && isRemote(database) && !requiresTls(database)
      ? [
          'DATABASE_URL points to another host and does not require TLS: the password and all data can be read in transit. Add sslmode=verify-full.',
        ]
      : []),
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
