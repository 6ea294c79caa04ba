import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RedisClientType } from '@redis/client'
import { toError } from '../../lib/errors.ts'
import { gauge } from '../../lib/metric.ts'

export interface RedisEvents {
  onLost: (error: Error) => void
  onRecovered: () => void
}

// One that takes longer is as good as gone: calls wait for it before their own work begins.
const RESPONSE_TIMEOUT_MS = 100
const RETRY_MS = 250
// Nothing depends on it, so the start does not wait for long.
const START_MS = 1_000
// A connection that leads nowhere is noticed by its silence.
const [PING_MS, SILENT_MS] = [2_000, 5_000]

// A counter ends one window after its first use, which finds it without an end.
const ADD = `
  local count = redis.call('incrby', KEYS[1], ARGV[1])
  local left = redis.call('pttl', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[2])
    redis.call('pexpire', KEYS[1], left)
  end
  return {count, left}`

/**
 * A Redis that may be away: no request waits for it for longer than a moment. After its first failure it is not asked any more,
 * until one write at a time, in the background, was answered soon enough.
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

  /** Settles when the first attempt has ended, well or not. */
  async start() {
    // Loaded only if REDIS_URL is set.
    const { createClient } = await import('@redis/client')
    const client: RedisClientType = createClient({
      url: this.#url,
      disableOfflineQueue: true,
      // Of Redis Enterprise, and asked for with look-ups of names that may take long.
      maintNotifications: 'disabled',
      pingInterval: PING_MS,
      socket: { reconnectStrategy: RETRY_MS, connectTimeout: START_MS, socketTimeout: SILENT_MS },
    })
    this.#client = client
    this.#isReady = true // until found to be away
    client.on('error', (error: Error) => this.#lose(error))
    const ready = once(client, 'ready', { signal: AbortSignal.timeout(START_MS) })
    client.connect().catch(() => {}) // its failures are reported as events
    await ready.catch((error: Error) => this.#lose(error))
  }

  /** Adds to a counter. Returns its value, and when it ends; undefined while Redis is away. */
  async add(counter: string, uses: number, windowMs: number) {
    if (!this.#client || !this.#isReady) return undefined
    try {
      const reply = await withTimeout(
        this.#client.eval(ADD, { keys: [counter], arguments: [String(uses), String(windowMs)] }),
      )
      const [count, msLeft] = reply as [number, number]
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

  /** By a write: a replica, and one that is full, would answer a ping too. Waits for as long as the connection lasts. */
  async #isHealthy() {
    const asked = performance.now()
    const answer = await this.#client?.set('petstore:probe', '', { PX: 1 }).catch(() => undefined)
    return answer === 'OK' && performance.now() - asked <= RESPONSE_TIMEOUT_MS
  }
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // One turn more: if we ourselves were late, the answer may be there and not read yet.
    const tooLate = () =>
      setImmediate(() => reject(new Error(`Redis did not respond within ${RESPONSE_TIMEOUT_MS} ms`)))
    const alarm = setTimeout(tooLate, RESPONSE_TIMEOUT_MS)
    work.then(resolve, reject).finally(() => clearTimeout(alarm))
  })
}
