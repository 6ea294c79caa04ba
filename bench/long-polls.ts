import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { timeAtPace } from './churn.ts'
import type { Client } from './client.ts'
import { median, percentiles } from './measure.ts'
import { type Interval, medianInterval } from './median-interval.ts'
import { get, list, read } from './operations.ts'
import { cpuSeconds, residentMegabytes } from './processes.ts'
import { markdownTable, whole } from './report.ts'
import { log } from './rig.ts'
import type { Service } from './service.ts'

export interface PollPlan {
  processes: number
  /** A process lets 128 wait, and of one key a quarter of that. */
  waitingEach: number
  rounds: number
  seconds: number
}

/** What requests that wait for events cost. */
export interface Waiting {
  processes: number
  waiting: number
  /** Responses with an event, and those that came without one. */
  responses: number
  missed: number
  /** From the commit of an event to its arrival, in milliseconds. */
  p50: number
  p99: number
  /** Of each process while the requests wait: seconds of CPU in a second, and what it takes beyond the time without them. */
  cpu: number
  megabytes: number
  extraMegabytes: number
  /** Of other requests: p50 beside those that wait, to p50 without. */
  ratio: Interval
}

const EVENT_EVERY_MS = 1_000
/** A new event whose pet no other has. */
const ADD_EVENT = `
  insert into events (pet_id, version, type, name, category_id, status)
  select nextval('pets_id_seq'), 1, 'pet.created', 'Rex', 1, 'available'`

/** In turns with and without requests that wait, so that whatever else the machine does happens to both. */
export async function measureWaiting(
  client: Client,
  /** Of different keys: what waits is divided among them. */
  pollers: Client[],
  database: pg.Client,
  services: Service[],
  { processes, waitingEach, rounds, seconds }: PollPlan,
): Promise<Waiting> {
  const [first] = services
  const others = async () => {
    const operation = Math.random() < 0.5 ? get : list
    const { status } = await client.send(first?.url ?? '', operation.request(1_000))
    if (status >= 400) throw new Error(`${operation.name} returned ${status}`)
  }
  await timeAtPace(seconds, others) // warm
  const ratios: number[] = []
  const latencies: number[] = []
  const cpus: number[] = []
  const [calm, busy]: [number[], number[]] = [[], []]
  let missed = 0
  for (let round = 1; round <= rounds; round++) {
    log(`round ${round} of ${rounds}: ${whole(processes * waitingEach)} requests wait …`)
    const without = await Promise.all([timeAtPace(seconds, others), addEvents(database, seconds)])
    calm.push(...megabytesOf(services))
    const polls = new Polls(pollers, services, waitingEach)
    await polls.start()
    const cpuBefore = services.map(({ pid }) => cpuSeconds(pid))
    const beside = await Promise.all([timeAtPace(seconds, others), addEvents(database, seconds)])
    const cpuAfter = services.map(({ pid }) => cpuSeconds(pid))
    busy.push(...megabytesOf(services))
    cpus.push(...cpuAfter.map((used, i) => (used - (cpuBefore[i] ?? 0)) / seconds))
    const arrivals = await polls.stop(() => database.query(ADD_EVENT))
    for (const [number, at] of beside[1].entries()) {
      const of = arrivals.map((times) => times[number])
      missed += of.filter((time) => time === undefined).length
      latencies.push(...of.flatMap((time) => (time === undefined ? [] : [Math.max(0, time - at)])))
    }
    ratios.push(median(beside[0]) / median(without[0]))
  }
  return {
    processes,
    waiting: processes * waitingEach,
    responses: latencies.length,
    missed,
    ...percentiles(latencies),
    cpu: median(cpus),
    megabytes: median(busy),
    extraMegabytes: median(busy) - median(calm),
    ratio: medianInterval(ratios),
  }
}

/** When each was committed. */
async function addEvents(database: pg.Client, seconds: number) {
  const commits: number[] = []
  for (const ends = performance.now() + seconds * 1_000 - EVENT_EVERY_MS; performance.now() < ends; ) {
    await sleep(EVENT_EVERY_MS)
    await database.query(ADD_EVENT)
    commits.push(performance.now())
  }
  return commits
}

function megabytesOf(services: Service[]) {
  return services.map(({ pid }) => residentMegabytes(pid).values().next().value ?? Number.NaN)
}

interface FeedEvent {
  sequence: string
}

/** Requests that wait for the next event, and are sent again with each response. */
class Polls {
  readonly #clients: Client[]
  readonly #services: Service[]
  readonly #each: number
  /** For each that waits, when each event arrived. */
  readonly #arrivals: number[][] = []
  #polling: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(clients: Client[], services: Service[], each: number) {
    this.#clients = clients
    this.#services = services
    this.#each = each
  }

  /** Returns when all of them wait. */
  async start() {
    const urls = this.#services.flatMap(({ url }) => Array.from({ length: this.#each }, () => url))
    await sleep(EVENT_EVERY_MS) // or the last event may not have its number yet
    const [first] = this.#clients
    if (!first) throw new Error('nobody waits')
    const { next } = await first.send(urls[0] ?? '', read('/v1/events?from=now&limit=100'))
    const cursor = cursorIn(next)
    this.#polling = Promise.all(
      urls.map((url, i) => {
        const times: number[] = []
        this.#arrivals.push(times)
        return this.#poll(this.#clients[i % this.#clients.length] ?? first, url, cursor, times)
      }),
    )
    await sleep(EVENT_EVERY_MS)
  }

  /** One more event ends them. */
  async stop(addEvent: () => Promise<unknown>) {
    await sleep(EVENT_EVERY_MS)
    this.#isOver = true
    await addEvent()
    await this.#polling
    return this.#arrivals
  }

  async #poll(client: Client, url: string, from: string, times: number[]) {
    for (let cursor = from; !this.#isOver; ) {
      const { status, text, next } = await client.send(url, read(`/v1/events?limit=100&wait=9&cursor=${cursor}`))
      if (status !== 200) throw new Error(`a request that waits returned ${status}: ${text}`)
      const at = performance.now()
      for (const _ of JSON.parse(text) as FeedEvent[]) times.push(at)
      cursor = cursorIn(next)
    }
  }
}

function cursorIn(link: string | undefined) {
  return /[?&]cursor=([^&>]+)/.exec(link ?? '')?.[1] ?? ''
}

export function waitingTable(results: Waiting[]) {
  return markdownTable(
    [
      'processes',
      'waiting',
      'p50',
      'p99',
      'CPU of a process',
      'memory of a process',
      'more than without',
      'others, ratio',
    ],
    results.map(({ processes, waiting, p50, p99, cpu, megabytes, extraMegabytes, ratio }) => [
      String(processes),
      whole(waiting),
      `${p50.toFixed(0)} ms`,
      `${p99.toFixed(0)} ms`,
      `${(100 * cpu).toFixed(0)} %`,
      `${megabytes.toFixed(0)} MB`,
      `${extraMegabytes.toFixed(0)} MB`,
      `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`,
    ]),
  )
}
