import { setTimeout as sleep } from 'node:timers/promises'
import { createPetstore, type Petstore } from '../../packages/client/src/index.ts'
import { Calls } from './calls.ts'
import { type BuyersRecord, type Ending, emptyRecord, type Placed } from './record.ts'

export interface BuyersOptions {
  baseUrl: string
  key: string
  /** What every name and every reference begins with. */
  label: string
  buyers?: number
  /** How many orders are tried in a second. */
  perSecond?: number
  /** How many times a client retries before its deadline; unlimited by default. */
  retries?: number
}

const PETS = 400
// So that several buyers want the same pet at about the same time.
const BUYERS_OF_A_PET = 3
const DEADLINE_MS = 30_000
/** Longer than any run, so that only the buyer ends the order. */
const LONG_S = 30 * 86_400
const SHORT_S = 2

/** What a buyer does with an order that was placed. */
interface Plan {
  /** How often, of a hundred. */
  share: number
  expiresIn: number
  proceed: (buyers: Buyers, order: Placed) => Promise<void>
}

const CANCEL: Plan = { share: 40, expiresIn: LONG_S, proceed: (buyers, order) => buyers.end(order, 'cancelled') }
const PLANS: Plan[] = [
  CANCEL,
  { share: 15, expiresIn: LONG_S, proceed: (buyers, order) => buyers.end(order, 'completed') },
  { share: 10, expiresIn: LONG_S, proceed: (buyers, order) => buyers.endBothWays(order) },
  { share: 15, expiresIn: LONG_S, proceed: (buyers, order) => buyers.editAndCancel(order) },
  { share: 5, expiresIn: LONG_S, proceed: (buyers, order) => buyers.keep(order) },
  { share: 15, expiresIn: SHORT_S, proceed: async () => {} },
]

/** Buyers who compete for pets. They place orders and complete, cancel or forget them, and record the responses. */
export class Buyers {
  readonly record: BuyersRecord = emptyRecord()
  readonly calls = new Calls()
  /** Apart, since they show nothing of an outage of writes. */
  readonly reads = new Calls()
  withoutRetryAfter = 0
  readonly #label: string
  readonly #store: Petstore
  readonly #pets: bigint[] = []
  readonly #stopping = new AbortController()
  readonly #perSecond: number
  #working: Promise<unknown> = Promise.resolve()
  #slot = performance.now()
  #picks = 0
  #numbers = 0

  private constructor({ baseUrl, key, label, perSecond = 600, retries = Number.POSITIVE_INFINITY }: BuyersOptions) {
    this.#label = label
    this.#perSecond = perSecond
    const fetchAndLook: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      if (response.status === 503 && !response.headers.has('retry-after')) this.withoutRetryAfter++
      return response
    }
    this.#store = createPetstore({ baseUrl, key, timeoutMs: DEADLINE_MS, retries, fetch: fetchAndLook })
  }

  static async start(options: BuyersOptions) {
    const buyers = new Buyers(options)
    for (let i = 0; i < PETS; i += 50) await Promise.all(Array.from({ length: 50 }, () => buyers.#addPet()))
    const buy = async () => {
      while (!buyers.#stopping.signal.aborted) await buyers.#buy()
    }
    buyers.#working = Promise.all(Array.from({ length: options.buyers ?? 64 }, buy))
    return buyers
  }

  /** Waits for all calls in progress, and makes no more. */
  async stop() {
    this.#stopping.abort()
    await this.#working
  }

  async end({ orderId, petId }: Placed, as: Ending) {
    const { orders } = this.#store
    const { code, begun, at } = await this.calls.make(`${as} ${orderId}`, ['order_closed'], () =>
      as === 'completed' ? orders.complete(orderId) : orders.cancel(orderId),
    )
    const result = code === undefined ? 'acknowledged' : code === 'order_closed' ? 'rejected' : 'unknown'
    this.record.ended.push({ orderId, as, result, begun, at })
    if (as === 'completed' && result !== 'rejected') await this.#replacePet(petId)
  }

  /** Only one of the two can win. */
  async endBothWays(order: Placed) {
    await Promise.all([this.end(order, 'completed'), this.end(order, 'cancelled')])
  }

  /** The name can be changed while an order holds the pet. */
  async editAndCancel(order: Placed) {
    const { petId } = order
    const name = `${this.#label} ${this.#numbers++}`
    const edited = await this.calls.make(`edit ${petId}`, [], () => this.#store.pets.update(petId, { name }))
    const { result, begun, at } = edited
    this.record.edited.push({ petId, version: result?.version, begun, at })
    await this.end(order, 'cancelled')
  }

  /** Leaves the order open until the end of the run, and takes another pet. */
  async keep({ petId }: Placed) {
    await this.#replacePet(petId)
  }

  async #buy() {
    const now = performance.now()
    // A steady pace: what an outage delayed is not caught up with.
    this.#slot = Math.max(now, this.#slot + 1_000 / this.#perSecond)
    await sleep(this.#slot - now)
    const petId = this.#pets[Math.floor(this.#picks++ / BUYERS_OF_A_PET) % this.#pets.length]
    if (petId === undefined) return
    if (Math.random() < 0.1) await this.#look(petId)
    const { expiresIn, proceed } = choosePlan()
    const reference = `${this.#label} ${this.#numbers++}`
    const { result, begun, at } = await this.calls.make(reference, ['pet_not_available'], () =>
      this.#store.orders.place({ petId, expiresIn, reference }),
    )
    if (!result) return
    // What was asked for: a response that belongs to another request must not count as one to this.
    const placed = { orderId: result.id, petId, reference, expiresAt: result.expiresAt, begun, at }
    this.record.placed.push(placed)
    await proceed(this, placed)
  }

  async #look(petId: bigint) {
    const seen = await this.reads.make(`look at ${petId}`, [], () =>
      this.#store.pets.list({ ids: [petId], view: 'full' }).page(),
    )
    const version = seen.result?.pets[0]?.version
    if (version !== undefined) this.record.seen.push({ petId, version, begun: seen.begun, at: seen.at })
  }

  async #replacePet(petId: bigint) {
    const place = this.#pets.indexOf(petId)
    if (place >= 0) this.#pets.splice(place, 1)
    await this.#addPet()
  }

  async #addPet() {
    const name = `${this.#label} ${this.#numbers++}`
    const pet = { name, categoryId: 1n, status: 'available' } as const
    const { result } = await this.calls.make(name, [], () => this.#store.pets.create(pet))
    if (result) this.#pets.push(result.id)
  }
}

function choosePlan() {
  const ends = PLANS.map((_, i) => PLANS.slice(0, i + 1).reduce((sum, { share }) => sum + share, 0))
  const drawn = 100 * Math.random()
  return PLANS[ends.findIndex((end) => drawn < end)] ?? CANCEL
}
