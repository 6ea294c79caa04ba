import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { percentiles } from './measure.ts'
import { cpuSeconds } from './processes.ts'
import { markdownTable, whole } from './report.ts'
import { log } from './rig.ts'
import type { Service } from './service.ts'

/** What it costs to give events their numbers, at a rate. */
export interface Sequencing {
  asked: number
  /** Events a second that were added, and have a number. */
  perSecond: number
  added: number
  numbered: number
  /** From a commit to the notification of its number, in milliseconds. */
  p50: number
  p99: number
  /** Seconds of CPU in a second: of the process, and of its connection to PostgreSQL. */
  cpuService: number
  cpuDatabase: number
}

/** Bytes of each event: on disk, and of WAL with the page of the feed that it is in. */
export interface Weight {
  events: number
  table: number
  indexes: number
  pages: number
  wal: number
  /** As it is sent. */
  json: number
}

const BATCH = 100
// The advisory lock of the process that sequences, as pg_locks has it.
const SEQUENCER = `select pid from pg_locks where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = 7377301118`
/** As an update of a pet adds it. */
const ADD_EVENTS = {
  name: 'add',
  text: `
    insert into events (pet_id, version, type, name, category_id, status, changed, key_id)
    select 1000000000 + $1::bigint + n, 2, 'pet.updated', 'Pet ' || n, n % 1000, 'available', 'name status', 'key_1a2b3c4d5e6f'
    from generate_series(1, ${BATCH}) as n`,
}
const HEAD = `select first + greatest(cardinality(pet_ids), 1) - 1 as head from feed_pages order by first desc limit 1`
const NUMBERED_WITHIN_MS = 10_000

/** Writers that are nothing but SQL, so that all of the service's CPU is the sequencer's. */
export class SequencerBench implements AsyncDisposable {
  readonly #writer: pg.Client
  readonly #listener: pg.Client
  readonly #service: Service
  /** When the feed was known to reach how far. */
  readonly #heads: { at: number; head: number }[] = []
  #written = 0

  private constructor(databaseUrl: string, service: Service) {
    this.#writer = new pg.Client(databaseUrl)
    this.#listener = new pg.Client(databaseUrl)
    this.#service = service
  }

  static async start(databaseUrl: string, service: Service) {
    const bench = new SequencerBench(databaseUrl, service)
    await bench.#writer.connect()
    await bench.#listener.connect()
    bench.#listener.on('notification', ({ payload = '' }) => {
      bench.#heads.push({ at: performance.now(), head: Number(payload.split(' ')[0]) })
    })
    await bench.#listener.query('listen petstore_feed')
    return bench
  }

  async [Symbol.asyncDispose]() {
    await this.#writer.end()
    await this.#listener.end()
  }

  async measure(asked: number, seconds: number): Promise<Sequencing> {
    log(`${whole(asked)} events a second …`)
    const [before, sequencer] = [await this.#head(), await this.#sequencerPid()]
    const cpuBefore = [cpuSeconds(this.#service.pid), cpuSeconds(sequencer)] as const
    const begun = performance.now()
    const commits: number[] = []
    // At a steady pace, whether or not the sequencer keeps up.
    for (let i = 0; i < (asked * seconds) / BATCH; i++) {
      await sleep(Math.max(0, begun + (i * BATCH * 1_000) / asked - performance.now()))
      await this.#writer.query({ ...ADD_EVENTS, values: [this.#written] })
      commits.push(performance.now())
      this.#written += BATCH
    }
    await sleep(Math.max(0, begun + (commits.length * BATCH * 1_000) / asked - performance.now()))
    const tookSeconds = (performance.now() - begun) / 1_000
    const added = commits.length * BATCH
    const endsAt = performance.now() + NUMBERED_WITHIN_MS
    while ((await this.#head()) < before + added && performance.now() < endsAt) await sleep(20)
    const totalSeconds = (performance.now() - begun) / 1_000
    const waits = commits.flatMap((at, i) => {
      const visible = this.#heads.find(({ head }) => head >= before + (i + 1) * BATCH)
      return visible ? [Math.max(0, visible.at - at)] : []
    })
    return {
      asked,
      perSecond: added / tookSeconds,
      added,
      numbered: (await this.#head()) - before,
      ...percentiles(waits),
      cpuService: (cpuSeconds(this.#service.pid) - cpuBefore[0]) / totalSeconds,
      cpuDatabase: (cpuSeconds(sequencer) - cpuBefore[1]) / totalSeconds,
    }
  }

  /** Of as many new events, after those that were measured. */
  async weigh(events: number): Promise<Omit<Weight, 'json'>> {
    const before = await this.#wal()
    const head = await this.#head()
    for (let i = 0; i < events / BATCH; i++, this.#written += BATCH)
      await this.#writer.query({ ...ADD_EVENTS, values: [this.#written] })
    while ((await this.#head()) < head + events) await sleep(20)
    const wal = (await this.#wal()) - before
    const { rows } = await this.#writer.query<{ table: number; indexes: number; pages: number; count: number }>(
      `select pg_table_size('events')::float8 as table, pg_indexes_size('events')::float8 as indexes,
              pg_total_relation_size('feed_pages')::float8 as pages, count(*)::float8 as count from events`,
    )
    const { table = 0, indexes = 0, pages = 0, count = 1 } = rows[0] ?? {}
    return { events: count, table: table / count, indexes: indexes / count, pages: pages / count, wal: wal / events }
  }

  async #head() {
    const { rows } = await this.#writer.query<{ head: string }>(HEAD)
    return Number(rows[0]?.head ?? 0)
  }

  async #wal() {
    const { rows } = await this.#writer.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0' as bytes`)
    return Number(rows[0]?.bytes)
  }

  async #sequencerPid() {
    const { rows } = await this.#writer.query<{ pid: number }>(SEQUENCER)
    if (!rows[0]) throw new Error('no process sequences events')
    return rows[0].pid
  }
}

export function sequencingTable(results: Sequencing[]) {
  return markdownTable(
    ['events /s', 'added', 'numbered', 'p50', 'p99', 'CPU of the process', 'CPU of PostgreSQL'],
    results.map(({ perSecond, added, numbered, p50, p99, cpuService, cpuDatabase }) => [
      whole(perSecond),
      whole(added),
      whole(numbered),
      `${p50.toFixed(0)} ms`,
      `${p99.toFixed(0)} ms`,
      `${(100 * cpuService).toFixed(1)} %`,
      `${(100 * cpuDatabase).toFixed(1)} %`,
    ]),
  )
}

export function weightTable({ events, table, indexes, pages, wal, json }: Weight) {
  return markdownTable(
    ['events', 'table', 'indexes', 'feed', 'WAL', 'JSON'],
    [[whole(events), ...[table, indexes, pages, wal, json].map((bytes) => `${whole(bytes)} bytes`)]],
  )
}
