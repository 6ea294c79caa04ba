import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { endOfFeed } from './rows.ts'

const ADD_EVENTS = {
  name: 'add',
  text: `
    insert into events (pet_id, version, type, name, category_id, status, changed, key_id)
    select pet_id, version, 'pet.updated', 'Pet ' || version, pet_id % 1000, 'available', 'name', 'key_1a2b3c4d5e6f'
    from unnest($1::bigint[], $2::bigint[]) as given (pet_id, version)`,
}
// As many statements as that in a second, at most.
const STATEMENTS_PER_SECOND = 50
const NUMBERED_WITHIN_MS = 60_000

/** Writes events by SQL alone, as updates of random pets would, each with the next version of its pet. */
export class EventWriter {
  readonly #database: pg.Client
  readonly #versions: number[]

  constructor(database: pg.Client, pets: number) {
    this.#database = database
    this.#versions = Array.from({ length: pets }, () => 1)
  }

  async add(events: number) {
    const [petIds, versions]: [number[], number[]] = [[], []]
    for (let i = 0; i < events; i++) {
      const pet = Math.floor(Math.random() * this.#versions.length)
      const version = (this.#versions[pet] ?? 0) + 1
      this.#versions[pet] = version
      petIds.push(pet + 1)
      versions.push(version)
    }
    await this.#database.query({ ...ADD_EVENTS, values: [petIds, versions] })
  }

  /** At a steady pace, whether or not others keep up, until the time is up or the signal aborts. Returns how many it added. */
  async addAtPace(perSecond: number, seconds: number, signal?: AbortSignal) {
    const each = Math.max(1, Math.round(perSecond / STATEMENTS_PER_SECOND))
    const begun = performance.now()
    let added = 0
    const isOver = () => added >= perSecond * seconds || signal?.aborted === true
    while (!isOver()) {
      await sleep(Math.max(0, begun + (added * 1_000) / perSecond - performance.now()))
      await this.add(each)
      added += each
    }
    return added
  }

  /** Many at once; returns when each of them has its number. */
  async addBacklog(events: number) {
    const { sequence } = await endOfFeed(this.#database)
    for (let left = events; left > 0; left -= 1_000) await this.add(Math.min(left, 1_000))
    await untilNumbered(this.#database, sequence + events)
    await this.#database.query('vacuum (analyze) events')
  }
}

/** Returns when the feed reaches this number. */
export async function untilNumbered(database: pg.Client, sequence: number) {
  const endsAt = performance.now() + NUMBERED_WITHIN_MS
  for (; (await endOfFeed(database)).sequence < sequence; await sleep(50))
    if (performance.now() > endsAt) throw new Error(`the feed does not reach ${sequence}: no process sequences events`)
}
