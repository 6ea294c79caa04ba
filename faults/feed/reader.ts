import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReaderLog, SeenEvent } from './record.ts'

export interface ReaderOptions {
  baseUrl: string
  key: string
  /** Of the names and references of our writers. */
  label: string
  name: string
  limit: number
  waitSeconds: number
}

/** An event, in the fields that are looked at. */
interface Event {
  id: string
  type: string
  sequence: string
  data: { pet?: { id: number; version: number; name: string }; order?: { id: string; reference?: string } }
}

interface Page {
  text: string
  next: string
}

const RETRIED = [429, 502, 503, 504]
const RETRY_MS = 100
/** Before it asks again, where there was nothing. */
const EMPTY_MS = 50
const MAX_MS = 20_000

/** Follows the feed by its cursors, and keeps what it has read. */
export class Reader {
  readonly log: ReaderLog
  /** When each event arrived, on the clock of performance.now(). */
  readonly arrivals: number[] = []
  /** Why it could not continue. */
  failure: string | undefined
  readonly #options: ReaderOptions
  readonly #known: Map<string, SeenEvent>
  readonly #stopping = new AbortController()
  #next: string
  #reading: Promise<void> = Promise.resolve()

  private constructor(options: ReaderOptions, known: Map<string, SeenEvent>, next: string) {
    this.log = { name: options.name, events: [] }
    this.#options = options
    this.#known = known
    this.#next = next
  }

  /** Begins after all events of now. Readers with the same `known` share the events that are the same. */
  static async start(options: ReaderOptions, known: Map<string, SeenEvent>) {
    const { next } = await fetchPage(options, `${options.baseUrl}/events?from=now&limit=1`)
    const reader = new Reader(options, known, next)
    reader.#reading = reader.#follow()
    return reader
  }

  get last() {
    return this.log.events.at(-1)?.sequence ?? -1
  }

  async stop() {
    this.#stopping.abort()
    await this.#reading
  }

  async #follow() {
    const { limit, waitSeconds } = this.#options
    while (!this.#stopping.signal.aborted && this.failure === undefined) {
      const url = new URL(this.#next)
      url.searchParams.set('limit', String(limit))
      url.searchParams.set('wait', String(waitSeconds))
      try {
        const page = await fetchPage(this.#options, url.href, this.#stopping.signal)
        this.#next = page.next
        const at = performance.now()
        const events = seenIn(page, this.#options.label, this.#known)
        if (events.length === 0) await sleep(EMPTY_MS)
        for (const event of events) {
          this.log.events.push(event)
          this.arrivals.push(at)
        }
      } catch (error) {
        if (!this.#stopping.signal.aborted) this.failure = String(error)
      }
    }
  }
}

/** All that the feed has, from the oldest event that is kept. */
export async function readFeed(options: ReaderOptions, known: Map<string, SeenEvent>) {
  const events: SeenEvent[] = []
  for (let url = `${options.baseUrl}/events?from=oldest&limit=100`; ; ) {
    const page = await fetchPage(options, url)
    const found = seenIn(page, options.label, known)
    if (found.length === 0) return events
    events.push(...found)
    url = page.next
  }
}

/** Retries what passes by itself. Everything else, 410 too, is an error: nothing was restored and nothing is old. */
async function fetchPage({ key, baseUrl }: ReaderOptions, url: string, stopping?: AbortSignal): Promise<Page> {
  const headers = { authorization: `Bearer ${key}` }
  for (; ; await sleep(RETRY_MS)) {
    stopping?.throwIfAborted()
    const signal = AbortSignal.any([AbortSignal.timeout(MAX_MS), ...(stopping ? [stopping] : [])])
    const response = await fetch(url, { headers, signal })
      .then(async (answer) => ({ status: answer.status, link: answer.headers.get('link'), text: await answer.text() }))
      .catch(() => undefined)
    if (!response || RETRIED.includes(response.status)) continue
    const target = /<([^>]+)>; rel="next"/.exec(response.link ?? '')?.[1]
    if (response.status !== 200 || target === undefined)
      throw new Error(`${new URL(url).search} returned ${response.status}: ${response.text.slice(0, 200)}`)
    // The link names the service as it knows itself.
    const next = new URL(`${baseUrl}/events`)
    next.search = new URL(target, baseUrl).search
    return { text: response.text, next: next.href }
  }
}

function seenIn({ text }: Page, label: string, known: Map<string, SeenEvent>) {
  return (JSON.parse(text) as Event[]).map((event) => {
    const seen = toSeen(event, label)
    const same = known.get(seen.id)
    if (same && same.sequence === seen.sequence && same.digest === seen.digest) return same
    known.set(seen.id, seen)
    return seen
  })
}

export function toSeen(event: Event, label: string): SeenEvent {
  const { pet } = event.data
  return {
    sequence: Number(event.sequence),
    id: event.id,
    petId: pet?.id ?? 0,
    version: pet?.version ?? 0,
    change: pet?.name.startsWith(`${label} `) ? changeOf(event) : undefined,
    digest: hash('sha1', JSON.stringify(event), 'base64'),
  }
}

/** The name of the change, as writers give it. */
function changeOf({ type, data: { pet, order } }: Event) {
  if (type === 'order.placed') return `${type} ${order?.reference}`
  if (order) return `${type} ${order.id}`
  return `${type} ${type === 'pet.deleted' ? pet?.id : pet?.name}`
}
