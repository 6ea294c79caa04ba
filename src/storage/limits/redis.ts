import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RedisClientType } from '@redis/client'
import { toError } from '../../lib/errors.ts'
import { gauge } from '../../lib/metric.ts'

export interface RedisEvents {
  onLost: (error: Error) => void
  onRecovered: () => void
}

// A slower Redis counts as unavailable: requests wait for it before their own work begins.
const RESPONSE_TIMEOUT_MS = 100
const RETRY_MS = 250
// The service works without Redis, so the start does not wait for long.
const START_MS = 1_000
// A dead connection is noticed by its silence.
const [PING_MS, SILENT_MS] = [2_000, 5_000]

// A counter expires one window after its first use, which finds it without an expiry.
const ADD = `
  local count = redis.call('incrby', KEYS[1], ARGV[1])
  local left = redis.call('pttl', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[2])
    redis.call('pexpire', KEYS[1], left)
  end
  return {count, left}`

/**
 * A Redis that may be unavailable: no request waits for it for longer than a moment. After a failure it is not used until a probe in the
 * background succeeds in time.
 */
export class Redis implements AsyncDisposable {
  readonly metrics = [
    gauge('petstore_rate_limit_store_up', '1 where limits are counted in Redis, 0 in memory.', () =>
      Number(this.#isReady),
    ),
  ]
  readonly #url: string
  readonly #events: RedisEvents
  #client: RedisClientType | undefined
  #isReady = false
  #isClosed = false

  constructor(url: string, events: RedisEvents) {
    this.#url = url
    this.#events = events
  }

  get isReady() {
    return this.#isReady
  }

  /** Settles after the first attempt, successful or not. */
  async start() {
    // Loaded only if REDIS_URL is set.
    const { createClient } = await import('@redis/client')
    const client: RedisClientType = createClient({
      url: this.#url,
      disableOfflineQueue: true,
      // A feature of Redis Enterprise. Asking for it takes DNS lookups, which may be slow.
      maintNotifications: 'disabled',
      pingInterval: PING_MS,
      socket: { reconnectStrategy: RETRY_MS, connectTimeout: START_MS, socketTimeout: SILENT_MS },
    })
    this.#client = client
    this.#isReady = true // until it fails
    client.on('error', (error: Error) => this.#lose(error))
    const ready = once(client, 'ready', { signal: AbortSignal.timeout(START_MS) })
    client.connect().catch(() => {}) // its failures are reported as events
    await ready.catch((error: Error) => this.#lose(error))
  }

  /** Adds to a counter. Returns its value and how long it lasts; undefined while Redis is unavailable. */
  async add(counter: string, uses: number, windowMs: number) {
    if (!this.#client || !this.#isReady) return undefined
    try {
      const reply = await withTimeout(
        this.#client.eval(ADD, { keys: [counter], arguments: [String(uses), String(windowMs)] }),
      )
      const [count, msLeft] = Array.isArray(reply) ? reply : []
      if (typeof count !== 'number' || typeof msLeft !== 'number') throw new Error('Redis sent an unexpected reply')
      return { count, msLeft }
    } catch (error) {
      this.#lose(toError(error))
      return undefined
    }
  }

  async [Symbol.asyncDispose]() {
    this.#isClosed = true
    if (this.#client?.isOpen) this.#client.destroy()
  }

  #lose(error: Error) {
    if (!this.#isReady || this.#isClosed) return
    this.#isReady = false
    this.#events.onLost(error)
    void this.#find()
  }

  async #find() {
    while (!this.#isReady) {
      await sleep(RETRY_MS, undefined, { ref: false })
      if (this.#isClosed) return
      if (await this.#isHealthy()) {
        this.#isReady = true
        this.#events.onRecovered()
      }
    }
  }

  /** Probes with a write: a replica or a full Redis would answer a ping too. Waits for as long as the connection lasts. */
  async #isHealthy() {
    const asked = performance.now()
    const reply = await this.#client?.set('petstore:probe', '', { PX: 1 }).catch(() => undefined)
    return reply === 'OK' && performance.now() - asked <= RESPONSE_TIMEOUT_MS
  }
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Waits for one more turn of the event loop: if this process was late itself, the reply may have arrived, and not been read yet.
    const tooLate = () =>
      setImmediate(() => reject(new Error(`Redis did not respond within ${RESPONSE_TIMEOUT_MS} ms`)))
    const alarm = setTimeout(tooLate, RESPONSE_TIMEOUT_MS)
    work.then(resolve, reject).finally(() => clearTimeout(alarm))
  })
}
