import type { Event, FeedPosition } from '../domain/types/event.ts'
import type { ReceiverRules } from '../lib/receivers.ts'
import type { Times } from '../lib/times.ts'
import type { Feed } from '../storage/events/feed.ts'
import type { FeedEvent } from '../storage/events/pages.ts'
import {
  ATTEMPTS_KEPT,
  type Attempt,
  type LeasedWebhook,
  type Progress,
  type Renewal,
} from '../storage/webhooks/leases.ts'
import type { NameResolver } from './connection.ts'
import { type Message, pingOf, Signer } from './message.ts'
import { Outbox } from './outbox.ts'
import { type AttemptOutcome, Sender } from './sender.ts'

/** Options that all deliveries of a process share. */
export interface DeliveryOptions {
  feed: Pick<Feed, 'head' | 'list' | 'advance'>
  source: string
  print: (event: Event) => string
  masterSecret: string
  receivers: ReceiverRules
  resolver: NameResolver
  version: string
  onOutcome: (outcome: AttemptOutcome) => void
  /** Called if the events after the position of a webhook are no longer kept. */
  onSkipped: (webhookId: string) => void
  onReadFailed: (error: unknown) => void
  times: Pick<Times, 'lease' | 'sending' | 'retries'>
}

const PAGE = 100

/** Delivers for one webhook, while this process has its lease. */
export class Delivery implements Disposable {
  readonly #webhook: LeasedWebhook
  readonly #options: DeliveryOptions
  readonly #outbox: Outbox
  readonly #signer: Signer
  readonly #sender: Sender
  readonly #made: Attempt[] = []
  readonly #noticeMs: number
  #attempts: bigint
  #pingRequestedAt: string | undefined
  #pinged: string | undefined
  #retried: string | undefined
  #isPinging = false
  #isReading = false
  /** When every event was last known to have been read. */
  #completeAt = Date.now()
  #isYielding = false
  #isStopping = false
  #isClosed = false
  #renewedAt: number

  /** `renewedAt` is when the lease was requested, by `performance.now()`. */
  constructor(webhook: LeasedWebhook, renewedAt: number, options: DeliveryOptions) {
    this.#webhook = webhook
    this.#options = options
    this.#outbox = new Outbox(webhook, options.times.retries)
    this.#signer = new Signer(options.masterSecret, webhook, options.version)
    const { receivers, resolver, times } = options
    this.#sender = new Sender(webhook.url, receivers, resolver, times.sending, webhook.hasSucceeded)
    this.#attempts = webhook.attempts
    this.#pingRequestedAt = webhook.pingRequestedAt
    this.#retried = webhook.retryAt
    this.#renewedAt = renewedAt
    this.#noticeMs = options.times.lease.noticeMs
  }

  /** Also ends the requests under way: the lease is lost. */
  [Symbol.dispose]() {
    this.#isClosed = true
    this.#sender[Symbol.dispose]()
  }

  get isActive() {
    return this.#webhook.isActive && !this.#outbox.isEnded
  }

  get isIdle() {
    return this.#outbox.isIdle && !this.#isPinging
  }

  get isYielding() {
    return this.#isYielding
  }

  /** Whether it can be given back without sending anything twice, now or once the requests under way have ended. */
  get canYield() {
    return this.#outbox.isWhole || !this.isIdle
  }

  /** Begins no more requests, unless one fails while later ones succeed: the webhook can't be given back then. */
  yield() {
    this.#isYielding = true
  }

  /** Begins no more requests in any case: the process ends. */
  stop() {
    this.#isYielding = true
    this.#isStopping = true
  }

  /** The age of the oldest event that was not delivered, and how long deliveries have failed, in seconds. */
  get lag() {
    const now = Date.now()
    const { feed } = this.#options
    const { oldestAt = feed.head.sequence > this.#outbox.end.sequence ? this.#completeAt : now } = this.#outbox
    const { failingSince = now } = this.#outbox.progress
    return { behind: Math.max(0, now - oldestAt) / 1_000, failing: Math.max(0, now - failingSince) / 1_000 }
  }

  /** The progress to store. Call `stored` once it was. */
  get progress(): Progress {
    const isGivenBack = this.#isStopping || (this.#isYielding && this.#outbox.isWhole)
    const isDone = this.isIdle && (isGivenBack || !(this.isActive || this.#isPingDue))
    return {
      id: this.#webhook.id,
      hasSucceeded: this.#sender.hasSucceeded,
      ...this.#outbox.progress,
      revision: this.#webhook.revision,
      attempts: this.#attempts,
      pinged: this.#pinged,
      retried: this.#retried,
      end: isDone || this.#isClosed ? (this.#outbox.isEnded ? 'disabled' : 'released') : undefined,
      made: [...this.#made],
    }
  }

  /** The lease was renewed, with this progress. */
  stored(
    { made }: Progress,
    renewedAt: number,
    { pingRequestedAt, retry }: Pick<Renewal, 'pingRequestedAt' | 'retry'>,
  ) {
    const last = made.at(-1)?.number ?? 0n
    const later = this.#made.findIndex(({ number }) => number > last)
    this.#made.splice(0, later === -1 ? this.#made.length : later)
    this.#renewedAt = renewedAt
    this.#pingRequestedAt = pingRequestedAt
    if (!retry || retry.at === this.#retried) return
    this.#retried = retry.at
    this.#outbox.retryBy(Date.now() + Math.max(0, retry.inMs))
  }

  /** Begins whatever can begin now. */
  pump() {
    if (!this.#isStopping && !this.canYield) this.#isYielding = false
    // Another process may claim this webhook soon, if its lease is not renewed before.
    if (this.#isClosed || this.#isYielding || performance.now() - this.#renewedAt > this.#noticeMs) return
    if (this.#isPingDue && !this.#isPinging) void this.#ping()
    if (!this.isActive) return
    const isStale = this.#outbox.stalePage(Date.now()) !== undefined
    if ((this.#outbox.hasRoom || isStale) && !this.#isReading) void this.#read()
    if (isStale) return
    for (let event = this.#outbox.take(Date.now()); event; event = this.#outbox.take(Date.now()))
      void this.#deliver(event)
  }

  get #isPingDue() {
    return this.#pingRequestedAt !== undefined && this.#pingRequestedAt !== this.#pinged
  }

  async #deliver(event: FeedEvent) {
    const { at, outcome } = await this.#send({ id: event.id, json: this.#options.print(event) })
    if (this.#isClosed) return
    this.#options.onOutcome(outcome)
    // With the duration that the owner may know: `failingSince` and `nextAttemptAt` must reveal no more than the attempt does.
    this.#outbox.settle(event, outcome, at + outcome.durationMs)
    this.pump()
  }

  async #ping() {
    const requestedAt = this.#pingRequestedAt
    this.#isPinging = true
    await this.#send(pingOf(this.#webhook.id, this.#options.source, Date.now()))
    this.#isPinging = false
    this.#pinged = requestedAt
  }

  async #send(message: Message) {
    const at = Date.now()
    const outcome = await this.#sender.post(this.#signer.headersOf(message, at), message.json)
    const { status, error, durationMs, responseBody } = outcome
    if (!this.#isClosed) {
      this.#made.push({ number: ++this.#attempts, at, eventId: message.id, status, error, durationMs, responseBody })
      if (this.#made.length > ATTEMPTS_KEPT) this.#made.shift()
    }
    return { at, outcome }
  }

  /** Continues with the oldest event that is kept. */
  async #skip() {
    const page = await this.#options.feed.list({ limit: PAGE, types: this.#webhook.types })
    if (page) this.#options.onSkipped(this.#webhook.id)
    return page
  }

  /** Reads one page of the outbox again. Reading all of them could take longer than an event may be old. */
  async #refresh(after: FeedPosition) {
    const { feed } = this.#options
    const { types } = this.#webhook
    const readAt = Date.now()
    // If the position is no longer kept, the rest of the page is at the beginning of the feed.
    const page = (await feed.list({ after, limit: PAGE, types })) ?? (await feed.list({ limit: PAGE, types }))
    this.#outbox.refresh(after, page?.placed ?? [], readAt)
  }

  /** Reads the events that come next, if there are any. */
  async #read() {
    const { feed } = this.#options
    this.#isReading = true
    try {
      while (!this.#isClosed) {
        const stalePage = this.#outbox.stalePage(Date.now())
        if (stalePage) {
          await this.#refresh(stalePage)
          // The database is too slow. The next renewal tries again.
          if (this.#outbox.stalePage(Date.now()) === stalePage) return
          this.pump()
          continue
        }
        if (!this.#outbox.hasRoom || feed.head.sequence <= this.#outbox.end.sequence) break
        const { types } = this.#webhook
        const page = (await feed.list({ after: this.#outbox.end, limit: PAGE, types })) ?? (await this.#skip())
        if (!page || this.#isClosed) return
        this.#outbox.add({ events: page.placed, next: page.next })
        this.pump()
      }
      if (this.#outbox.hasRoom) this.#completeAt = Date.now()
    } catch (error) {
      // The next renewal tries again.
      this.#options.onReadFailed(error)
    } finally {
      this.#isReading = false
    }
  }
}
