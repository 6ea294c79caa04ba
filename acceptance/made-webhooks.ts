import type { Response } from './response.ts'
import { removeWebhook, WEBHOOKS } from './webhooks.ts'
import type { Request } from './wire.ts'

type Call = (request: Request) => Promise<Response>

const CREATED = 201
const DELETED = 204

/** Knows which webhooks a run has created, also where its clauses did not expect it, and deletes those that they have left. */
export class MadeWebhooks {
  readonly #call: Call
  readonly #ids = new Set<string>()
  readonly #underWay = new Set<Promise<unknown>>()
  #isOver = false

  constructor(call: Call) {
    this.#call = call
  }

  async call(request: Request): Promise<Response> {
    const { method, path } = request
    if (method === 'DELETE' && path.startsWith(`${WEBHOOKS}/`)) {
      const response = await this.#call(request)
      if (response.status === DELETED) this.#ids.delete(path.slice(WEBHOOKS.length + 1))
      return response
    }
    return method === 'POST' && path === WEBHOOKS ? await this.#create(request) : await this.#call(request)
  }

  async #create(request: Request) {
    // A run that stops at its first failure does not wait for the clauses that are under way.
    if (this.#isOver) throw new Error('the run is over')
    const creating = this.#call(request)
    this.#underWay.add(creating)
    try {
      const response = await creating
      const id = response.status === CREATED ? /"id"\s*:\s*"([^"\\]+)"/.exec(response.text)?.[1] : undefined
      if (id !== undefined) this.#ids.add(id)
      return response
    } finally {
      this.#underWay.delete(creating)
    }
  }

  /** At the end of a run. What cannot be deleted must not hide what the run has found. */
  async deleteAll() {
    this.#isOver = true
    await Promise.allSettled(this.#underWay)
    await Promise.allSettled(Array.from(this.#ids, (id) => this.#call(removeWebhook(id))))
  }
}
