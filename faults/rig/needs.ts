import { existsSync } from 'node:fs'
import { REDIS_SERVER } from './redis.ts'

const PACKAGES: Record<string, string> = {
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
  '/usr/bin/patroni': 'patroni',
  '/usr/lib/python3/dist-packages/etcd/__init__.py': 'python3-etcd',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  [REDIS_SERVER]: 'redis-server',
  '/usr/sbin/nft': 'nftables',
  '/usr/bin/openssl': 'openssl',
  '/usr/bin/curl': 'curl',
  '/bin/ip': 'iproute2',
  '/usr/bin/nsenter': 'util-linux',
}

/** What this machine lacks for a rig, as sentences that say what to do. */
export function missingNeeds() {
  const lacking = Object.entries(PACKAGES).filter(([file]) => !existsSync(file))
  const packages = lacking.map(([, name]) => name).join(' ')
  return [
    ...(process.platform === 'linux' ? [] : ['This needs Linux: each node lives in a network namespace.']),
    ...(process.getuid?.() === 0 ? [] : ['Run this as root: it makes network namespaces.']),
    ...(packages === ''
      ? []
      : [`Install what is missing (Debian 12): apt-get install -y --no-install-recommends --no-upgrade ${packages}`]),
  ]
}
