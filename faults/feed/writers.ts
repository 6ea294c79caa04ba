import { setTimeout as sleep } from 'node:timers/promises'
import { createPetstore, type Petstore } from '../../packages/client/src/index.ts'
import { Calls } from '../orders/calls.ts'
import type { Change } from './record.ts'

export interface WriterOptions {
  baseUrl: string
  key: string
  /** What every name and every reference begins with. */
  label: string
  writers?: number
  /** How many plans are begun in a second. */
  perSecond?: number
  /** How many times a client retries before its deadline; unlimited by default. */
  retries?: number
  fetch?: typeof fetch
}

/** Few, so that several writers change the same one at the same time. */
const PETS = 300
const DEADLINE_MS = 30_000
/** Longer than any run: only writers end orders. */
const LONG_S = 30 * 86_400
const STATUSES = ['available', 'sold', undefined] as const

/** How often a writer does what, of a hundred times. */
const PLANS: [share: number, plan: (writers: Writers) => Promise<void>][] = [
  [55, (writers) => writers.update()],
  [25, (writers) => writers.sell()],
  [10, (writers) => writers.delete()],
  [10, (writers) => writers.create()],
]

/** Writers who make every kind of change, and record what they asked for and what the responses were. */
export class Writers {
  readonly changes: Change[] = []
  readonly calls = new Calls()
  withoutRetryAfter = 0
  readonly #label: string
  readonly #store: Petstore
  readonly #pets: bigint[] = []
  readonly #stopping = new AbortController()
  readonly #perSecond: number
  #working: Promise<unknown> = Promise.resolve()
  #slot = performance.now()
  #numbers = 0
  #acknowledged = 0

  private constructor({ baseUrl, key, label, ...options }: WriterOptions) {
    const { perSecond = 1_000, retries = Number.POSITIVE_INFINITY, fetch: send = fetch } = options
    this.#label = label
    this.#perSecond = perSecond
    const fetchAndLook: typeof fetch = async (...request) => {
      const response = await send(...request)
      if (response.status === 503 && !response.headers.has('retry-after')) this.withoutRetryAfter++
      return response
    }
    this.#store = createPetstore({ baseUrl, key, timeoutMs: DEADLINE_MS, retries, fetch: fetchAndLook })
  }

  static async start(options: WriterOptions) {
    const writers = new Writers(options)
    for (let i = 0; i < PETS; i += 50) await Promise.all(Array.from({ length: 50 }, () => writers.create()))
    const write = async () => {
      while (!writers.#stopping.signal.aborted) await writers.#write()
    }
    writers.#working = Promise.all(Array.from({ length: options.writers ?? 48 }, write))
    return writers
  }

  get acknowledged() {
    return this.#acknowledged
  }

  /** Waits for all calls in progress, and makes no more. */
  async stop() {
    this.#stopping.abort()
    await this.#working
  }

  async create() {
    const name = this.#newName()
    const status = STATUSES[this.#numbers % STATUSES.length]
    const pet = await this.#change(`pet.created ${name}`, [], () =>
      this.#store.pets.create({ name, categoryId: 1n, ...(status ? { status } : {}) }),
    )
    if (pet) this.#pets.push(pet.id)
  }

  async update() {
    const petId = this.#anyPet()
    const name = this.#newName()
    await this.#change(`pet.updated ${name}`, ['pet_not_found'], () => this.#store.pets.update(petId, { name }))
  }

  async sell() {
    const petId = this.#anyPet()
    const reference = this.#newName()
    const expected = ['pet_not_available', 'pet_not_found']
    const order = await this.#change(`order.placed ${reference}`, expected, () =>
      this.#store.orders.place({ petId, reference, expiresIn: LONG_S }),
    )
    if (!order) return
    const { orders } = this.#store
    // A sold pet can't be ordered again, so most are not sold.
    if (Math.random() < 0.1) await this.#change(`order.completed ${order.id}`, [], () => orders.complete(order.id))
    else await this.#change(`order.cancelled ${order.id}`, [], () => orders.cancel(order.id))
  }

  /** A new pet takes its place. */
  async delete() {
    const [petId] = this.#pets.splice(Math.floor(Math.random() * this.#pets.length), 1)
    if (petId === undefined) return
    await this.#change(`pet.deleted ${petId}`, ['pet_reserved'], async () => {
      await this.#store.pets.delete(petId)
      return { petId }
    })
    await this.create()
  }

  async #write() {
    const now = performance.now()
    // A steady pace: what an outage delayed is not caught up with.
    this.#slot = Math.max(now, this.#slot + 1_000 / this.#perSecond)
    await sleep(this.#slot - now)
    let drawn = 100 * Math.random()
    for (const [share, plan] of PLANS) {
      drawn -= share
      if (drawn < 0) return await plan(this)
    }
  }

  async #change<Result extends { id?: unknown; petId?: bigint; version?: bigint }>(
    name: string,
    expected: string[],
    call: () => Promise<Result>,
  ) {
    const { result, code, at } = await this.calls.make(name, expected, call)
    if (result) this.#acknowledged++
    const isPet = typeof result?.id === 'bigint'
    const petId = result?.petId ?? (isPet ? (result.id as bigint) : undefined)
    const version = result?.version ?? (name.startsWith('pet.created ') ? 1n : undefined)
    this.changes.push({
      name,
      result: result ? 'acknowledged' : expected.includes(code ?? '') ? 'rejected' : 'unknown',
      ...(result ? { petId: numberOf(petId), version: numberOf(version) } : {}),
      at,
    })
    return result
  }

  #newName() {
    return `${this.#label} ${this.#numbers++}`
  }

  #anyPet() {
    return this.#pets[Math.floor(Math.random() * this.#pets.length)] ?? 0n
  }
}

function numberOf(value: bigint | undefined) {
  return value === undefined ? undefined : Number(value)
}
