import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { type Load, startLoad } from '../load.ts'
import { brokenBy, countsOf } from '../promises.ts'
import { Backups } from '../rig/backups.ts'
import type { Rig } from '../rig/rig.ts'
import { run } from '../rig/site.ts'
import { query } from '../stored.ts'
import { compareOnRig } from '../under-load.ts'

const [LOAD_MS, LOAD_QUICK_MS] = [60_000, 5_000]
/** A copy is taken for moments after the second in which it was made. */
const COPY_COUNTS_AFTER_MS = 1_100
/** What the machine with the backups may not have received when all the others are lost. */
const UNRECEIVED_MS = 1_000
/** Clients need not wait long for a table that was dropped. */
const DEADLINE_MS = 5_000

/** Every row of the tables that an acknowledgement rests on. */
const CONTENT = `
  select (select count(*)::int from pets) as pets,
         (select md5(string_agg(pets::text, ',' order by id)) from pets) as rows,
         (select md5(string_agg(w::text, ',' order by word, pet_id)) from pet_words w) as words,
         (select md5(string_agg(k::text, ',' order by api_key_id, key)) from idempotency_keys k) as keys`

interface Content {
  pets: number
  rows: string
  words: string
  keys: string
}

export const restore: Fault = {
  name: 'restore',
  injected: 'drop table pets while pets are added; all nodes are rebuilt from the backups, as of the moment before',
  invariant: 'every row as it was, to the last acknowledged pet; none twice; all found by name; pets are added again',
  quick: true,
  run: restoreDropped,
}

export const totalLoss: Fault = {
  name: 'total-loss',
  injected: 'kill -9 of everything on all nodes while pets are added, and their data deleted; rebuilt from the backups',
  invariant: 'every pet acknowledged a second before, or earlier; none twice; all found by name; pets are added again',
  quick: true,
  run: restoreLost,
}

async function restoreDropped(stage: Stage): Promise<Outcome> {
  const rig = await stage.rig()
  await using backups = await beginBackups(stage, rig)
  const { load, label } = await underWay(stage, rig, 'restore')
  const { moment, before } = await dropPets(rig)
  const noticed = performance.now()
  await load.stop()
  stage.say(`the table was dropped at ${moment}; restoring to the moment before …`)

  await rig.cluster.stop()
  await backups.end()
  await rig.cluster.forget()
  await rebuild(rig, backups, moment)
  const after = await contentOf(rig.databaseUrl)
  const seconds = await secondsUntilAdded(stage, rig, noticed)

  const verdict = await compareOnRig(rig, label, load.acknowledged)
  const [was, is] = [JSON.stringify(before), JSON.stringify(after)]
  return {
    times: 1,
    ...countsOf(load, verdict),
    pets: before.pets,
    seconds,
    broken: [...brokenBy(verdict), ...(was === is ? [] : [`the rows are not what they were: ${was}, now ${is}`])],
  }
}

async function restoreLost(stage: Stage): Promise<Outcome> {
  const rig = await stage.rig()
  await using backups = await beginBackups(stage, rig)
  const { load, label } = await underWay(stage, rig, 'total-loss')
  const noticed = performance.now()
  await Promise.all(rig.cluster.nodes.map((node) => node.kill('etcd', 'patroni', 'postgres')))
  await load.stop()
  await backups.end()
  stage.say('nothing is left of the three nodes; restoring all that was backed up …')

  for (const node of rig.cluster.nodes) {
    await run('rm', '-rf', node.etcdDirectory)
    node.startEtcd()
  }
  await rebuild(rig, backups)
  const { pets } = await contentOf(rig.databaseUrl)
  const seconds = await secondsUntilAdded(stage, rig, noticed)

  const received = load.acknowledged.filter(({ at }) => at < noticed - UNRECEIVED_MS)
  const verdict = await compareOnRig(rig, label, received)
  const all = await compareOnRig(rig, label, load.acknowledged)
  return {
    times: 1,
    ...countsOf(load, verdict),
    lostOfTheLastSecond: all.lost.length - verdict.lost.length,
    pets,
    seconds,
    broken: brokenBy({ ...all, lost: verdict.lost, unfound: verdict.unfound }),
  }
}

/** As deploy/ha/README.md asks for it: a slot, so that what was not written down yet is kept; then the rest. */
async function beginBackups(stage: Stage, { site, cluster }: Rig) {
  stage.say('beginning backups …')
  await cluster.configure({ slots: { backup: { type: 'physical' } } })
  const backups = await Backups.begin(site)
  await sleep(COPY_COUNTS_AFTER_MS)
  return backups
}

async function underWay(stage: Stage, { baseUrl, key }: Rig, name: string) {
  const label = `${name} ${Date.now()}`
  const load = startLoad({ baseUrl, key, label, keyed: stage.keyed, deadlineMs: DEADLINE_MS })
  await sleep(stage.quick ? LOAD_QUICK_MS : LOAD_MS)
  return { load, label }
}

/** The lock stops all creates before the clock is read: every acknowledged pet was stored before that moment. */
async function dropPets({ databaseUrl }: Rig) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // In the order in which a create locks them.
    await client.query('begin; lock table idempotency_keys, pets in access exclusive mode')
    const before = (await client.query<Content>(CONTENT)).rows[0]
    const { rows } = await client.query<{ moment: string }>('select clock_timestamp()::text as moment')
    await client.query('drop table pets; commit')
    if (!before || !rows[0]) throw new Error('No pets to drop.')
    return { before, moment: rows[0].moment }
  } finally {
    await client.end()
  }
}

/** Deletes the data of all nodes; one is restored and leads, the others are copies of it. */
async function rebuild(rig: Rig, backups: Backups, ...moment: string[]) {
  const { cluster } = rig
  for (const node of cluster.nodes) await run('rm', '-rf', node.dataDirectory)
  const [first, ...others] = cluster.nodes
  if (!first) throw new Error('No node to restore.')
  await backups.restore(first, ...moment)
  first.startPatroni()
  await cluster.leader()
  for (const node of others) node.startPatroni()
  await rig.whole()
  await cluster.configure({ slots: null })
}

async function contentOf(databaseUrl: string) {
  const [content] = await query<Content & pg.QueryResultRow>(databaseUrl, CONTENT)
  if (!content) throw new Error('Nothing to compare.')
  return content
}

/** From the disaster until a pet is acknowledged again. */
async function secondsUntilAdded(stage: Stage, { baseUrl, key }: Rig, since: number) {
  const load: Load = startLoad({ baseUrl, key, label: `after ${Date.now()}`, keyed: stage.keyed, callers: 1 })
  await load.nextAcknowledged()
  const seconds = Number(((performance.now() - since) / 1_000).toFixed(1))
  await load.stop()
  return seconds
}
