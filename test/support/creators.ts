import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { type Call, postJson } from './app.ts'

/** Callers who keep creating pets until the service has closed its door, and remember what was confirmed. */
export class Creators {
  readonly confirmed: bigint[] = []
  answeredWhileDraining = 0
  /** Set when the service is told to stop. */
  draining = false
  /** Settles when the door is closed to all of them; fails when any call failed before. */
  readonly gone: Promise<unknown>

  constructor(call: Call, count: number) {
    this.gone = Promise.all(Array.from({ length: count }, () => this.#create(call)))
  }

  async assertAllStored(pool: Pool) {
    const { rows } = await pool.query<{ count: string }>('select count(*) from pets where id = any($1)', [
      this.confirmed.map(String),
    ])
    assert.equal(rows[0]!.count, String(this.confirmed.length))
  }

  async #create(call: Call) {
    for (;;) {
      try {
        const answer = await call('/v1/pets', postJson({ name: 'loaded', categoryId: 1 }))
        assert.equal(answer.status, 201, answer.text)
        this.confirmed.push((answer.body as { id: bigint }).id)
        if (this.draining) this.answeredWhileDraining++
      } catch (error) {
        // Once it has closed its door, a new connection is refused; before that, no call fails.
        if (error instanceof assert.AssertionError || !this.draining) throw error
        return
      }
    }
  }
}
