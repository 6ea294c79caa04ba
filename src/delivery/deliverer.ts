import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventPrinter } from '../http/print/event.ts'
import { byLabel, counter, gauge } from '../lib/metric.ts'
import { type LeaseTimes, type ShutdownTimes, TIMES, type Times } from '../lib/times.ts'
import { CHANGES_CHANNEL } from '../storage/keys/keys.ts'
import { Listener } from '../storage/postgres/listener.ts'
import type { Writable } from '../storage/postgres/statement.ts'
import { claimLeases, leave, type Progress, renewLeases } from '../storage/webhooks/leases.ts'
import { type PausedWebhook, pauseEnded } from '../storage/webhooks/owners.ts'
import { Delivery, type DeliveryOptions } from './delivery.ts'
import type { Outcome } from './sender.ts'

interface DelivererOptions extends Omit<DeliveryOptions, 'onOutcome' | 'print' | 'times'> {
  times?: Pick<Times, 'lease' | 'sending' | 'retries' | 'shutdown' | 'listener'>
  /** Called when nothing more is delivered for a webhook, until its owner activates it again. */
  onDisabled: (webhookId: string) => void
  /** Called when a webhook was paused because its key has ended. */
  onPaused: (webhook: PausedWebhook) => void
}

/** Delivers for as many webhooks as are this process' share. */
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
  #beating: Promise<void> = Promise.resolve()
  readonly #outcomes = { delivered: 0, rejected: 0, failed: 0 }

  constructor(db: Writable, url: string, { onDisabled, onPaused, times = TIMES, ...options }: DelivererOptions) {
    this.#db = db
    this.#lease = times.lease
    this.#shutdown = times.shutdown
    this.#onDisabled = onDisabled
    this.#onPaused = onPaused
    const print = eventPrinter(options.source)
    this.#options = { ...options, times, print, onOutcome: (outcome) => this.#count(outcome) }
    // A message that is lost only means that the end of a key is noticed by the next beat, whose job also logs what fails.
    const onMessage = () => void this.beat().catch(() => {})
    const events = { onMessage, onListening: () => {}, onLost: () => {} }
    this.#keyChanges = new Listener(url, CHANGES_CHANNEL, events, times.listener)
  }

  /** From here on it notices at once when a key has ended. */
  async start() {
    await this.#keyChanges.start()
  }

  /** The database is lost: a connection to it may look sound, and never bring a message again. */
  distrust(error: Error) {
    this.#keyChanges.reconnect(error)
  }

  async [Symbol.asyncDispose]() {
    await this.#keyChanges[Symbol.asyncDispose]()
  }

  /** Begins whatever can be begun now, because there are new events or time has passed. */
  pump() {
    for (const delivery of this.#held.values()) delivery.pump()
  }

  /**
   * To be called at each beat of the lease, and when a key has changed: pauses webhooks whose keys have ended, stores what was delivered,
   * keeps the leases, and takes more or fewer webhooks. One at a time: a renewal must not end what a later claim has begun.
   */
  beat() {
    this.#beating = this.#beating.catch(() => {}).then(() => this.#beat())
    return this.#beating
  }

  async #beat() {
    // First, so that the renewal ends what is under way, and stores what was delivered until now.
    const paused = await pauseEnded(this.#db, performance.now() + this.#lease.statementMs)
    for (const webhook of paused) this.#onPaused(webhook)
    await this.#renew()
    await this.#claim()
    this.pump()
  }

  /** Ends when what is under way has ended, was stored, and the webhooks were given back; in time, whether or not that was possible. */
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

  /** A lease that has run out is renewed too, unless another process has taken the webhook meanwhile. */
  async #renew(deadline = performance.now() + this.#lease.statementMs) {
    if (this.#held.size === 0) return
    const progress = new Map<string, Progress>()
    for (const delivery of this.#held.values()) {
      const { progress: made } = delivery
      progress.set(made.id, made)
    }
    const begun = performance.now()
    const renewals = await renewLeases(this.#db, this.#id, [...progress.values()], deadline, this.#lease)
    for (const { id, isHeld, isRenewed, pingRequestedAt } of renewals) {
      const stored = progress.get(id)
      if (isHeld && isRenewed && stored?.end === 'disabled') this.#onDisabled(id)
      if (!isHeld || (isRenewed && stored?.end)) this.#drop(id)
      else if (isRenewed && stored) this.#held.get(id)?.stored(stored, begun, pingRequestedAt)
    }
  }

  async #claim() {
    const begun = performance.now()
    const deadline = begun + this.#lease.statementMs
    const { share, head, claimed } = await claimLeases(this.#db, this.#id, this.#held.size, deadline, this.#lease)
    // A notification can be lost without notice: with its connection, which may be idle for hours.
    this.#options.feed.advance(head)
    for (const webhook of claimed) {
      this.#drop(webhook.id)
      this.#held.set(webhook.id, new Delivery(webhook, begun, this.#options))
    }
    this.#yieldSurplus(share)
  }

  /** Those with nothing under way first: they can be given back soonest. */
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

  #count({ isDelivered, status }: Outcome) {
    if (isDelivered) this.#outcomes.delivered++
    else if (status === undefined) this.#outcomes.failed++
    else this.#outcomes.rejected++
  }

  #byWebhook(read: (delivery: Delivery) => number) {
    const active = [...this.#held].filter(([, { isActive }]) => isActive)
    return active.map(([webhook, delivery]) => ({ labels: { webhook }, value: read(delivery) }))
  }
}
