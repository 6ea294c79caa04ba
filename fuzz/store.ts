import { randomUUID } from 'node:crypto'
import type { Pet } from './oracle/new-pet.ts'
import type { Known } from './request.ts'

interface Entry {
  pet: Pet
  /** When its 201 had arrived: later requests must find it. */
  since: number
}

const CURSORS = 100

/** Every pet that the service has confirmed to this run, and cursors that it has handed out. */
export class Store implements Known {
  readonly key: string
  readonly #pets = new Map<bigint, Entry>()
  readonly #ids: bigint[] = []
  readonly #cursors: string[] = []
  readonly #byKey = new Map<string, Pet>()
  #nextCursor = 0

  constructor(key: string) {
    this.key = key
  }

  /** False when the id was given to another pet before. */
  add(pet: Pet) {
    if (this.#pets.has(pet.id)) return false
    this.#pets.set(pet.id, { pet, since: performance.now() })
    this.#ids.push(pet.id)
    return true
  }

  /** From now on the key replays this pet. */
  keepKey(idempotencyKey: string, pet: Pet) {
    this.#byKey.set(idempotencyKey, pet)
  }

  createdBy(idempotencyKey: string) {
    return this.#byKey.get(idempotencyKey)
  }

  /** A value that was never sent before, not even by an earlier run. */
  unique() {
    return randomUUID()
  }

  get(id: bigint) {
    return this.#pets.get(id)?.pet
  }

  knew(id: bigint, at: number) {
    const entry = this.#pets.get(id)
    return entry !== undefined && entry.since < at
  }

  get size() {
    return this.#ids.length
  }

  idsSince(size: number) {
    return this.#ids.slice(size)
  }

  /** One of the last pets; the first id there can be while there is none. */
  petId(index: number) {
    return this.#ids.at(-1 - (index % Math.max(this.#ids.length, 1))) ?? 1n
  }

  keepCursor(query: string) {
    this.#cursors[this.#nextCursor++ % CURSORS] = new URLSearchParams(query).get('cursor') ?? ''
  }

  cursor(index: number) {
    return this.#cursors[index % Math.max(this.#cursors.length, 1)] ?? 'none'
  }
}
