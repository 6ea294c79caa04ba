import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createPetstore, PetstoreError } from '../../packages/client/src/index.ts'
import type { ClusterNode } from '../rig/node.ts'
import type { Rig } from '../rig/rig.ts'
import { run } from '../rig/site.ts'
import { until } from '../rig/until.ts'
import { baseUrlOf } from '../store.ts'
import type { Injection, Round } from '../under-load.ts'

/** What a copy of the cluster and its WAL take, and some more. */
const DISK = '700m'
const FULL_MS = 5_000
/** Until then the last rows have taken what room was left in their pages. */
const FULL_WITHIN_MS = 20_000
const AT_ONCE = 20

/**
 * First there is no room for rows: writes are rejected, and everything else continues. Then there is none for WAL either:
 * PostgreSQL exits, and another node must lead. The disk is a file system in memory, so that no other one is filled.
 */
export const diskFull: Injection = {
  name: 'disk-full',
  injected: 'the disk of the primary is filled, first to its last row, then to its last WAL',
  holds: 'meanwhile each process serves reads, and creates get 503',
  times: 3,
  inject: async (rig, round) => {
    const { cluster } = rig
    const node = await cluster.syncStandby()
    await putOnSmallDisk(rig, node)
    // Meanwhile another is the synchronous standby, and only that one can take the lead.
    while ((await cluster.leader()) !== node) {
      await cluster.switchover(await cluster.syncStandby())
      await rig.whole()
    }

    const ballast = join(node.dataDirectory, 'ballast')
    await fill(ballast)
    await createUntilRejected(rig, round)
    await readThroughEach(rig, round)
    await sleep(FULL_MS)
    await exhaustWal(node)
    await cluster.leaderInsteadOf(node)
    await rm(ballast)

    await rig.whole()
    await putOnOwnDisk(rig, node)
  },
}

/** Its data is copied from the primary again. */
async function putOnSmallDisk({ cluster }: Rig, node: ClusterNode) {
  await node.kill('patroni', 'postgres')
  await run('rm', '-rf', node.dataDirectory)
  await run('install', '-d', '-o', 'postgres', '-g', 'postgres', '-m', '700', node.dataDirectory)
  await run(
    'mount',
    '-t',
    'tmpfs',
    '-o',
    `size=${DISK},mode=700,uid=postgres,gid=postgres`,
    'tmpfs',
    node.dataDirectory,
  )
  node.startPatroni()
  await cluster.whole()
}

async function putOnOwnDisk({ cluster }: Rig, node: ClusterNode) {
  await node.kill('patroni', 'postgres')
  await run('umount', node.dataDirectory)
  node.startPatroni()
  await cluster.whole()
}

async function fill(file: string) {
  await run('dd', 'if=/dev/zero', `of=${file}`, 'bs=4k', 'status=none').catch((error: unknown) => {
    if (!String(error).includes('No space left')) throw error
  })
}

/** Adds pets until there is no room. The response must then ask the client to retry. */
async function createUntilRejected({ baseUrl, key }: Rig, { broke }: Round) {
  const { pets } = createPetstore({ baseUrl, key, retries: 0 })
  const rejection = await until('a create finds no room', FULL_WITHIN_MS, async () => {
    const creates = Array.from({ length: AT_ONCE }, () => pets.create({ name: 'one too many', categoryId: 1n }))
    return (await Promise.allSettled(creates)).find((result) => result.status === 'rejected')
  })
  const error: unknown = rejection.reason
  if (!(error instanceof PetstoreError) || error.status !== 503)
    broke(`a create on a full disk got no 503: ${String(error)}`)
}

async function readThroughEach({ services, key }: Rig, { broke }: Round) {
  for (const service of services) {
    try {
      await createPetstore({ baseUrl: baseUrlOf(service), key, retries: 0 })
        .pets.list({ limit: 1 })
        .page()
    } catch (error) {
      broke(`pets could not be read through ${service.name} while the disk was full: ${String(error)}`)
    }
  }
}

/** Writes WAL, and nothing else, until PostgreSQL can't continue. */
async function exhaustWal(node: ClusterNode) {
  const client = new pg.Client({ connectionString: node.superuserUrl })
  client.on('error', () => undefined) // it ends, as it must
  await client.connect()
  try {
    for (;;) await client.query("select pg_logical_emit_message(false, 'ballast', repeat('x', 1000000))")
  } catch {
    await client.end()
  }
}
