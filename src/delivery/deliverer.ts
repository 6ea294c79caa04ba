import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventPrinter } from '../http/print/event.ts'
import { byLabel, counter, gauge } from '../lib/metric.ts'
import { type LeaseTimes, type ShutdownTimes, TIMES, type Times } from '../lib/times.ts'
import { CHANGES_CHANNEL } from '../storage/keys/keys.ts'
import { Listener } from '../storage/postgres/listener.ts'
import type { Writable } from '../storage/postgres/statement.ts'
import { claimLeases, leave } from '../storage/webhooks/claims.ts'
import { type Progress, renewLeases } from '../storage/webhooks/leases.ts'
import { type PausedWebhook, pauseEnded } from '../storage/webhooks/owners.ts'
import { Delivery, type DeliveryOptions } from './delivery.ts'
import type { AttemptOutcome } from './sender.ts'

interface DelivererOptions extends Omit<DeliveryOptions, 'onOutcome' | 'print' | 'times'> {
  times?: Pick<Times, 'lease' | 'sending' | 'retries' | 'shutdown' | 'listener'>
  /** Called when a webhook is disabled: it receives nothing until its owner activates it again. */
  onDisabled: (webhookId: string) => void
  /** Called when a webhook was paused because its key has ended. */
  onPaused: (webhook: PausedWebhook) => void
}

/** Delivers for the webhooks of this process, which are its share of all. */
export class Deliverer implements AsyncDisposable {
  readonly metrics = [
    counter('petstore_webhook_deliveries_total', 'Attempts to deliver an event, by outcome.', () =>
      byLabel('outcome', this.#outcomes),
    ),
    gauge('petstore_webhook_behind_seconds', 'Age of the oldest event that was not delivered, by webhook.', () =>
      this.#byWebhook(({ lag }) => lag.behind),
    ),
    gauge('petstore_webhook_failing_seconds', 'For how long deliveries have failed, by webhook.', () =>
      this.#byWebhook(({ lag }) => lag.failing),
    ),
    gauge('petstore_webhooks_leased', 'Webhooks that this process delivers for.', () => this.#held.size),
  ]
  readonly #id = randomUUID()
  readonly #db: Writable
  readonly #options: DeliveryOptions
  readonly #held = new Map<string, Delivery>()
  readonly #onDisabled: (webhookId: string) => void
  readonly #onPaused: (webhook: PausedWebhook) => void
  readonly #lease: LeaseTimes
  readonly #shutdown: ShutdownTimes
  readonly #keyChanges: Listener
  #ticking: Promise<void> = Promise.resolve()
  readonly #outcomes = { delivered: 0, rejected: 0, failed: 0 }

  constructor(db: Writable, url: string, { onDisabled, onPaused, times = TIMES, ...options }: DelivererOptions) {
    this.#db = db
    this.#lease = times.lease
    this.#shutdown = times.shutdown
    this.#onDisabled = onDisabled
    this.#onPaused = onPaused
    const print = eventPrinter(options.source)
    this.#options = { ...options, times, print, onOutcome: (outcome) => this.#count(outcome) }
    // If a message is lost, the next tick notices the end of the key. Its job also logs failures.
    const onMessage = () => void this.tick().catch(() => {})
    const events = { onMessage, onListening: () => {}, onLost: () => {} }
    this.#keyChanges = new Listener(url, CHANGES_CHANNEL, events, times.listener)
  }

  /** After this, the end of a key is noticed at once. */
  async start() {
    await this.#keyChanges.start()
  }

  /** Called when the database is lost: the connection may look sound, and never bring a message again. */
  distrust(error: Error) {
    this.#keyChanges.reconnect(error)
  }

  async [Symbol.asyncDispose]() {
    await this.#keyChanges[Symbol.asyncDispose]()
  }

  /** Begins whatever can begin now. To be called when there are new events, or time has passed. */
  pump() {
    for (const delivery of this.#held.values()) delivery.pump()
  }

  /**
   * To be called `tickMs` apart, and when a key has changed: pauses webhooks whose keys have ended, stores what was delivered, renews the
   * leases, and claims or gives back webhooks. Runs one at a time: a renewal must not end what a later claim has begun.
   */
  tick() {
    this.#ticking = this.#ticking.catch(() => {}).then(() => this.#tick())
    return this.#ticking
  }

  async #tick() {
    // First, so that the renewal stores what these have delivered and ends their requests.
    const paused = await pauseEnded(this.#db, performance.now() + this.#lease.statementMs)
    for (const webhook of paused) this.#onPaused(webhook)
    await this.#renew()
    await this.#claim()
    this.pump()
  }

  /** Waits for the requests under way, stores them and gives the webhooks back. Returns in time, whether or not that succeeded. */
  async finish() {
    const deadline = performance.now() + this.#shutdown.finishMs
    for (const delivery of this.#held.values()) delivery.stop()
    await leave(this.#db, this.#id, deadline).catch(() => {})
    while (this.#held.size > 0 && performance.now() < deadline) {
      await this.#renew(deadline).catch(() => {})
      if (this.#held.size > 0) await sleep(this.#shutdown.finishIntervalMs)
    }
    for (const delivery of this.#held.values()) delivery[Symbol.dispose]()
    await this.#renew().catch(() => {})
  }

  /** Renews the leases. One that has run out is renewed too, unless another process has claimed the webhook since. */
  async #renew(deadline = performance.now() + this.#lease.statementMs) {
    if (this.#held.size === 0) return
    const progress = new Map<string, Progress>()
    for (const delivery of this.#held.values()) {
      const { progress: made } = delivery
      progress.set(made.id, made)
    }
    const begun = performance.now()
    const renewals = await renewLeases(this.#db, this.#id, [...progress.values()], deadline, this.#lease)
    for (const renewal of renewals) {
      const { id, isHeld, isRenewed } = renewal
      const stored = progress.get(id)
      if (isHeld && isRenewed && stored?.end === 'disabled') this.#onDisabled(id)
      if (!isHeld || (isRenewed && stored?.end)) this.#drop(id)
      else if (isRenewed && stored) this.#held.get(id)?.stored(stored, begun, renewal)
    }
  }

  async #claim() {
    const begun = performance.now()
    const deadline = begun + this.#lease.statementMs
    const { share, head, claimed } = await claimLeases(this.#db, this.#id, this.#held.size, deadline, this.#lease)
    // A notification can be lost unnoticed with its connection, which may be idle for hours.
    this.#options.feed.advance(head)
    for (const webhook of claimed) {
      this.#drop(webhook.id)
      this.#held.set(webhook.id, new Delivery(webhook, begun, this.#options))
    }
    this.#yieldSurplus(share)
  }

  /** Gives back the idle ones first: that takes the least time. */
  #yieldSurplus(share: number) {
    const kept = [...this.#held.values()].filter(({ isYielding }) => !isYielding)
    const surplus = kept.length - share
    if (surplus <= 0) return
    const idleFirst = kept.toSorted((a, b) => Number(b.isIdle) - Number(a.isIdle)).filter(({ canYield }) => canYield)
    for (const delivery of idleFirst.slice(0, surplus)) delivery.yield()
  }

  #drop(id: string) {
    this.#held.get(id)?.[Symbol.dispose]()
    this.#held.delete(id)
  }

  #count({ isDelivered, status }: AttemptOutcome) {
    if (isDelivered) this.#outcomes.delivered++
    else if (status === undefined) this.#outcomes.failed++
    else this.#outcomes.rejected++
  }

  #byWebhook(read: (delivery: Delivery) => number) {
    const active = [...this.#held].filter(([, { isActive }]) => isActive)
    return active.map(([webhook, delivery]) => ({ labels: { webhook }, value: read(delivery) }))
  }
}
