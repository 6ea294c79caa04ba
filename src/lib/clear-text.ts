// By the driver, `prefer` means TLS as well; by its name, and in other drivers, it may go without.
const WITHOUT_TLS = ['disable', 'allow', 'prefer']
const TLS_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/** One sentence for each server on another host to which passwords and data may go without TLS; never what the URL holds. */
export function clearTextWarnings({ databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string | undefined }) {
  const [database, redis] = [URL.parse(databaseUrl), redisUrl === undefined ? null : URL.parse(redisUrl)]
  return [
    ...(database && isRemote(database) && !requiresTls(database)
      ? [
          'DATABASE_URL leads to another host and does not require TLS: the password and all data can be read on the way. Add sslmode=verify-full.',
        ]
      : []),
    ...(redis && isRemote(redis) && redis.protocol !== 'rediss:'
      ? [
          'REDIS_URL leads to another host without TLS: its password can be read on the way. Use rediss:// instead of redis://.',
        ]
      : []),
  ]
}

/** Neither this host itself, nor one of its sockets, whose path takes the place of a host. */
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
