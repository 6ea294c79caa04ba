import type { FeedPosition } from '../domain/types/event.ts'
import { type RetryTimes, TIMES } from '../lib/times.ts'
import type { FeedEvent } from '../storage/events/pages.ts'
import type { LeasedWebhook } from '../storage/webhooks/leases.ts'
import { delayAfter } from './retry.ts'

const MAX_UNDER_WAY = 8
const FIRST_UNDER_WAY = 1
/** A page is read while there are fewer events than this. */
const READ_BELOW = 100
/** What was read longer ago is read again before it is sent: a name may have been erased since. */
const MAX_AGE_MS = 2_000

/** How a delivery ended. */
export interface DeliveryResult {
  isDelivered: boolean
  /** Whether the receiver wants nothing more, ever. */
  isGone: boolean
  retryAfterMs: number
}

interface QueuedEvent {
  event: FeedEvent
  /** Where its page of the feed begins. */
  pageFrom: FeedPosition
  readAt: number
  state: 'waiting' | 'under way' | 'delivered'
}

/**
 * The events of one webhook that are to be delivered next. Events of one pet are never under way together, so they arrive in order.
 * After a failure nothing more is begun until what is under way has ended. Then the first event is tried alone, again and again,
 * until it was delivered; those after it that were delivered already are not sent again.
 */
export class Outbox {
  readonly #entries: QueuedEvent[] = []
  readonly #times: RetryTimes
  /** Up to here every event was delivered. */
  #position: FeedPosition
  /** Up to here the feed was read. */
  #end: FeedPosition
  #underWay = 0
  /** Grows with each delivery: hundreds of webhooks that begin at once must not open all their connections at once. */
  #most = FIRST_UNDER_WAY
  #failingSince: number | undefined
  #failures: number
  #nextAttemptAt: number | undefined
  /** Of the deliveries under way, the first failure. */
  #failedAt: number | undefined
  #retryAfterMs = 0
  #isEnded = false

  constructor(
    {
      position,
      failingSince,
      failures,
      nextAttemptAt,
    }: Pick<LeasedWebhook, 'position' | 'failingSince' | 'failures' | 'nextAttemptAt'>,
    times = TIMES.retries,
  ) {
    this.#times = times
    this.#position = position
    this.#end = position
    this.#failingSince = failingSince
    this.#failures = failures
    this.#nextAttemptAt = nextAttemptAt
  }

  get progress() {
    return {
      position: this.#position,
      failingSince: this.#failingSince,
      failures: this.#failures,
      nextAttemptAt: this.#nextAttemptAt,
    }
  }

  get isIdle() {
    return this.#underWay === 0
  }

  /** Whether all that was delivered is before the position. The rest is known only here, and would be sent again by another process. */
  get isWhole() {
    return this.#entries.every(({ state }) => state !== 'delivered')
  }

  /** Whether nothing more is to be delivered: the receiver said so, or has failed for too long. */
  get isEnded() {
    return this.#isEnded
  }

  /** Where to read on. */
  get end() {
    return this.#end
  }

  get hasRoom() {
    return this.#entries.length < READ_BELOW
  }

  /** When the first event happened that was not delivered, in milliseconds since 1970. */
  get oldestAt() {
    const oldest = this.#entries[0]
    return oldest && Number(oldest.event.at / 1_000n)
  }

  add({ events, next }: { events: readonly FeedEvent[]; next: FeedPosition }, readAt = Date.now()) {
    const pageFrom = this.#end
    for (const event of events) this.#entries.push({ event, pageFrom, readAt, state: 'waiting' })
    this.#end = next
    this.#advance()
  }

  /** Where the page begins that must be read again before the next event is sent; undefined if none must. */
  stalePage(now: number): FeedPosition | undefined {
    const entry = this.#next(now)
    return entry && now - entry.readAt > MAX_AGE_MS ? entry.pageFrom : undefined
  }

  /** This page was read again, with these events. One that is no longer kept stays as it was. */
  refresh(pageFrom: FeedPosition, events: readonly FeedEvent[], readAt: number) {
    const byId = new Map(events.map((event) => [event.id, event]))
    for (const entry of this.#entries) {
      if (entry.pageFrom !== pageFrom || entry.state !== 'waiting') continue
      entry.event = byId.get(entry.event.id) ?? entry.event
      entry.readAt = readAt
    }
  }

  /** The next event to be sent, if there is one now. It must be settled. */
  take(now: number): FeedEvent | undefined {
    const entry = this.#next(now)
    if (!entry) return undefined
    entry.state = 'under way'
    this.#underWay++
    return entry.event
  }

  /** Notes how the delivery of an event ended. */
  settle(event: FeedEvent, { isDelivered, isGone, retryAfterMs }: DeliveryResult, now: number) {
    const entry = this.#entries.find((candidate) => candidate.event === event)
    if (!entry) throw new Error('an event was settled that was not taken')
    this.#underWay--
    if (isDelivered) {
      entry.state = 'delivered'
      this.#most = Math.min(this.#most + 1, MAX_UNDER_WAY)
      if (this.#failures > 0) this.#recover()
      this.#advance()
    } else {
      entry.state = 'waiting'
      this.#failedAt ??= now
      this.#retryAfterMs = Math.max(this.#retryAfterMs, retryAfterMs)
      this.#isEnded ||= isGone
    }
    if (this.#failedAt !== undefined && this.#underWay === 0) this.#fail(this.#failedAt, now)
  }

  /** What waits for its next attempt is tried at this time, unless it is earlier anyway. */
  retryBy(at: number) {
    if (this.#nextAttemptAt !== undefined) this.#nextAttemptAt = Math.min(this.#nextAttemptAt, at)
  }

  /** The first event whose pet has none before it, if one can be sent now. */
  #next(now: number) {
    const isWaiting = this.#nextAttemptAt !== undefined && now < this.#nextAttemptAt
    if (this.#isEnded || this.#failedAt !== undefined || isWaiting || this.#underWay >= this.#most) return undefined
    const pets = new Set<bigint>()
    for (const entry of this.#entries) {
      if (entry.state === 'delivered') continue
      const { petId } = entry.event
      if (entry.state === 'waiting' && !pets.has(petId)) return entry
      pets.add(petId)
    }
    return undefined
  }

  #advance() {
    const waiting = this.#entries.findIndex(({ state }) => state !== 'delivered')
    const delivered = this.#entries.splice(0, waiting === -1 ? this.#entries.length : waiting)
    // Those of other types after the last one count as delivered with it.
    this.#position = waiting === -1 ? this.#end : (delivered.at(-1)?.event.position ?? this.#position)
  }

  #recover() {
    this.#failingSince = undefined
    this.#failures = 0
    this.#nextAttemptAt = undefined
  }

  #fail(failedAt: number, now: number) {
    this.#failingSince ??= failedAt
    this.#failures++
    this.#nextAttemptAt = now + Math.max(delayAfter(this.#failures, this.#times.delaysMs), this.#retryAfterMs)
    this.#isEnded ||= now - this.#failingSince >= this.#times.giveUpMs
    this.#failedAt = undefined
    this.#retryAfterMs = 0
    this.#most = FIRST_UNDER_WAY
  }
}
