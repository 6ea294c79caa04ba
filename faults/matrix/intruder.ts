import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Outcome, Stage } from '../fault.ts'
import type { ClusterNode } from '../rig/node.ts'
import type { Rig } from '../rig/rig.ts'
import { DEPLOY, NODE_NAMES, type Place, run, runIn } from '../rig/site.ts'

const PSQL = '/usr/lib/postgresql/15/bin/psql'
/** How long a restart with the new settings takes, and the first WAL file that is archived with them. */
const RUNS_WITHIN_MS = 60_000

/** One try to get in. It succeeds if the command exits with 0. */
interface Attempt {
  what: string
  from: Place
  command: string[]
}

/** What the intruder has. No certificate of the cluster is among it, but every password. */
interface Loot {
  /** The whole of the dynamic configuration, in which archive_command runs a command of the intruder's as postgres. */
  configuration: string
  /** A certificate and its key, of an authority of the intruder's own. */
  forged: string[]
  user: string
}

export const intruder: Fault = {
  name: 'intruder',
  injected:
    'a host without a certificate tries to reach etcd, Patroni and PostgreSQL, and to make Patroni run a command: from outside, from the balancer, and from a node',
  invariant: 'every attempt is rejected; nothing is run as postgres',
  quick: true,
  run: intrude,
}

async function intrude(stage: Stage): Promise<Outcome> {
  const rig = await stage.rig()
  const { cluster, site } = rig
  const marker = join(site.directory, 'intruded')
  const before = await cluster.configuration()
  const loot = await lootOf(rig, before, marker)
  const attempts = cluster.nodes.flatMap((node) => attemptsOn(node, rig, loot))
  const succeeded: string[] = []
  for (const { what, from, command } of attempts)
    if (await succeeds(rig, from, command)) succeeded.push(`${from}: ${what}`)
  stage.say(`${attempts.length} attempts, ${succeeded.length} succeeded`)

  // An attempt that succeeded needs a moment to take effect.
  const endsAt = performance.now() + (succeeded.length > 0 ? RUNS_WITHIN_MS : 0)
  while (!existsSync(marker) && performance.now() < endsAt) await sleep(500)
  const hasRun = existsSync(marker)
  const isChanged = JSON.stringify(await cluster.configuration()) !== JSON.stringify(before)
  await rig.whole()
  await rm(join(site.directory, 'forged'), { recursive: true })
  return {
    times: attempts.length,
    acked: 0,
    lost: 0,
    twice: 0,
    failed: 0,
    refused: attempts.length - succeeded.length,
    ranAsPostgres: hasRun ? 1 : 0,
    broken: [
      ...succeeded.map((what) => `an intruder succeeded: ${what}`),
      ...(isChanged ? ['the configuration of the cluster has changed'] : []),
      ...(hasRun ? ['a command of the intruder was run as postgres'] : []),
    ],
  }
}

async function lootOf({ site, cluster }: Rig, before: Record<string, unknown>, marker: string): Promise<Loot> {
  const forged = join(site.directory, 'forged')
  await run(join(DEPLOY, 'make-certificates'), forged, 'n1=10.0.0.1')
  const postgresql = before['postgresql'] as { parameters: object }
  const evil = { archive_mode: 'on', archive_command: `touch ${marker}`, archive_timeout: '1s' }
  const parameters = { ...postgresql.parameters, ...evil }
  const { PATRONI_RESTAPI_USERNAME: name, PATRONI_RESTAPI_PASSWORD: password } = (await cluster.leader()).environment
  return {
    configuration: JSON.stringify({ ...before, postgresql: { ...postgresql, parameters } }),
    forged: ['--cert', join(forged, 'n1.crt'), '--key', join(forged, 'n1.key')],
    user: `${name}:${password}`,
  }
}

function attemptsOn({ name, address }: ClusterNode, { databaseUrl }: Rig, loot: Loot): Attempt[] {
  const neighbour = NODE_NAMES.find((other) => other !== name) ?? 'n1'
  const curl = ['/usr/bin/curl', '--silent', '--fail', '--insecure', '--max-time', '3', '--output', '/dev/null']
  const direct = new URL(databaseUrl)
  direct.host = `${address}:5432`
  /** In the clear, over TLS, and over TLS with a certificate of a foreign authority. */
  const allWays = (from: Place, what: string, port: number, path: string, ...options: string[]): Attempt[] => {
    const over = (scheme: string, ...identity: string[]) => [
      ...curl,
      ...identity,
      ...options,
      `${scheme}://${address}:${port}${path}`,
    ]
    return [
      { from, what: `${what} on ${name}, in the clear`, command: over('http') },
      { from, what: `${what} on ${name}, without a certificate`, command: over('https') },
      { from, what: `${what} on ${name}, with a forged certificate`, command: over('https', ...loot.forged) },
    ]
  }
  const set = ['--request', 'PATCH', '--user', loot.user, '--data', loot.configuration]
  const restart = ['--request', 'POST', '--user', loot.user, '--data', '{}']
  const etcd = ['--request', 'PUT', '--data-urlencode', `value=${loot.configuration}`]
  return [
    ...[2379, 2380, 8008].flatMap((port) => allWays('intruder', `GET /health of ${port}`, port, '/health')),
    { from: 'intruder', what: `select 1 on ${name}`, command: [PSQL, '--no-psqlrc', '-c', 'select 1', direct.href] },
    ...allWays(
      neighbour,
      "write Patroni's configuration into etcd",
      2379,
      '/v2/keys/petstore/petstore/config',
      ...etcd,
    ),
    ...allWays(neighbour, 'read the members of etcd as a peer', 2380, '/members'),
    ...allWays(neighbour, 'PATCH /config', 8008, '/config', ...set),
    ...allWays('balancer', 'PATCH /config', 8008, '/config', ...set),
    ...allWays('balancer', 'POST /restart', 8008, '/restart', ...restart),
    ...allWays('balancer', 'GET /health of etcd', 2379, '/health'),
  ]
}

async function succeeds({ site }: Rig, from: Place, command: string[]) {
  try {
    await runIn(site, from, ...command)
    return true
  } catch {
    return false
  }
}
