import {
  createPetstore,
  type EventPage,
  type Petstore,
  type PetstoreEvent,
  stringify,
} from '../../packages/client/src/index.ts'
import { toSeen } from '../feed/reader.ts'
import type { SeenEvent } from '../feed/record.ts'

export interface FollowerOptions {
  baseUrl: string
  key: string
  /** Of the names of pets whose changes are judged. */
  label: string
}

/** Follows the feed with the client, which never retries, and keeps what it has read. */
export class Follower {
  readonly events: SeenEvent[] = []
  /** Why it could not continue. */
  failure: string | undefined
  /** Where the next page begins. */
  cursor: string
  readonly #label: string
  readonly #stopping: AbortController
  readonly #reading: Promise<void>

  private constructor(label: string, first: EventPage, pages: AsyncIterable<EventPage>, stopping: AbortController) {
    this.#label = label
    this.cursor = first.next
    this.#stopping = stopping
    this.#reading = this.#read(pages)
  }

  /** Begins after all events of now. */
  static async start({ baseUrl, key, label }: FollowerOptions) {
    const stopping = new AbortController()
    const store = createPetstore({ baseUrl, key, retries: 0 })
    const pages = store.events.follow({ from: 'now', signal: stopping.signal })
    const { value } = await pages.next()
    if (!value) throw new Error('the feed has no first page')
    return new Follower(label, value, pages, stopping)
  }

  get last() {
    return this.events.at(-1)?.sequence ?? -1
  }

  async stop() {
    this.#stopping.abort()
    await this.#reading
  }

  async #read(pages: AsyncIterable<EventPage>) {
    try {
      for await (const { events, next } of pages) {
        this.events.push(...events.map((event) => seen(event, this.#label)))
        this.cursor = next
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.failure = String(error)
    }
  }
}

/** All that the feed has, from the oldest event that is kept. */
export async function readAll({ events }: Petstore, label: string) {
  const all: SeenEvent[] = []
  for await (const event of events.list({ from: 'oldest' })) all.push(seen(event, label))
  return all
}

function seen(event: PetstoreEvent, label: string) {
  return toSeen(JSON.parse(stringify(event)) as Parameters<typeof toSeen>[0], label)
}
