import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPetstore, type Pet, type Petstore } from '../../packages/client/src/index.ts'
import type { Acknowledged } from '../load.ts'
import { Calls } from '../orders/calls.ts'

export interface ClientsOptions {
  baseUrl: string
  key: string
  /** What every name begins with. */
  label: string
  /** How many pets are added in a second, and how many are read. */
  perSecond: number
}

/** Every one of so many creates is sent again with its key, and may reach a process of the other version. */
const REPEATED = 4
const PAGES_PER_SECOND = 20

/** Clients of what the last release has, which never retry: they add pets, read them, and walk through lists. */
export class Clients {
  readonly calls = new Calls()
  readonly added: Acknowledged[] = []
  /** What responses had that they must not, as sentences. */
  readonly wrong: string[] = []
  walks = 0
  readonly #label: string
  readonly #store: Petstore
  readonly #stopping = new AbortController()
  readonly #working: Promise<unknown>
  #numbers = 0

  constructor({ baseUrl, key, label, perSecond }: ClientsOptions) {
    this.#label = label
    this.#store = createPetstore({ baseUrl, key, retries: 0 })
    this.#working = Promise.all([
      this.#repeat(perSecond, () => this.#add()),
      this.#repeat(perSecond, () => this.#get()),
      this.#repeat(PAGES_PER_SECOND, () => this.#page({ status: 'available' })),
      this.#walk(),
    ])
  }

  /** Waits for all calls in progress, and makes no more. */
  async stop() {
    this.#stopping.abort()
    await this.#working
  }

  /** At a steady pace, several at a time. */
  async #repeat(perSecond: number, work: () => Promise<unknown>) {
    let slot = performance.now()
    const caller = async () => {
      while (!this.#stopping.signal.aborted) {
        const now = performance.now()
        slot = Math.max(now, slot + 1_000 / perSecond)
        await sleep(slot - now)
        await work()
      }
    }
    await Promise.all(Array.from({ length: 8 }, caller))
  }

  async #add() {
    const number = this.#numbers++
    const name = `${this.#label} ${number}`
    const idempotencyKey = randomUUID()
    const create = () =>
      this.calls.make(name, [], () =>
        this.#store.pets.create({ name, categoryId: 1n, status: 'pending' }, { idempotencyKey }),
      )
    const { result, begun, at } = await create()
    if (!result) return
    this.added.push({ id: result.id, name, begun, at })
    if (number % REPEATED > 0) return
    const again = await create()
    if (again.result && again.result.id !== result.id)
      this.wrong.push(`"${name}" was added as ${result.id}, and with the same key again as ${again.result.id}`)
  }

  async #get() {
    const pet = this.added[Math.floor(Math.random() * this.added.length)]
    if (!pet) return
    const { result } = await this.calls.make(`get ${pet.id}`, [], () => this.#store.pets.get(pet.id))
    if (result && result.name !== pet.name)
      this.wrong.push(`pet ${pet.id} was added as "${pet.name}", and read as "${result.name}"`)
  }

  async #page(query: { status: 'available' | 'pending' }, cursor?: string) {
    const page = async () => this.#store.pets.list({ ...query, limit: 100 }).page(cursor)
    return (await this.calls.make(`list ${query.status}`, [], page)).result
  }

  /** From the first page to the last, which processes of both versions may return: each pet of before is met once. */
  async #walk() {
    while (!this.#stopping.signal.aborted) {
      const before = this.added.length
      const met: Pet[] = []
      let cursor: string | undefined
      do {
        const page = await this.#page({ status: 'pending' }, cursor)
        if (!page) break
        met.push(...page.pets)
        cursor = page.next
        await sleep(1_000 / PAGES_PER_SECOND)
      } while (cursor !== undefined && !this.#stopping.signal.aborted)
      if (cursor !== undefined || this.#stopping.signal.aborted) continue
      this.walks++
      const ids = new Set(met.map(({ id }) => id))
      const missed = this.added.slice(0, before).filter(({ id }) => !ids.has(id))
      if (missed[0]) this.wrong.push(`a walk has missed ${missed.length} pets, like "${missed[0].name}"`)
      if (ids.size < met.length) this.wrong.push(`a walk has met ${met.length - ids.size} pets twice`)
    }
  }
}
