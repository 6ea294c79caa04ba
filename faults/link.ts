interface Parcel {
  dueAt: number
  deliver: () => void
}

/** One direction of a wire: what is put in comes out later, in order, and no faster than the wire is wide. */
export class Link {
  delayMs = 0
  bytesPerSecond = Number.POSITIVE_INFINITY
  readonly #underWay: Parcel[] = []
  #isWaiting = false
  /** When the last byte that was put in has left. */
  #freeAt = 0

  send(bytes: number, deliver: () => void) {
    const now = performance.now()
    this.#freeAt = Math.max(now, this.#freeAt) + (bytes / this.bytesPerSecond) * 1_000
    const dueAt = this.#freeAt + this.delayMs
    if (this.#underWay.length === 0 && dueAt <= now) deliver()
    else {
      this.#underWay.push({ dueAt, deliver })
      if (!this.#isWaiting) this.#wait(dueAt - now)
    }
  }

  #wait(ms: number) {
    this.#isWaiting = true
    setTimeout(() => this.#deliverDue(), ms)
  }

  #deliverDue() {
    this.#isWaiting = false
    while (this.#underWay.length > 0) {
      const [{ dueAt, deliver }] = this.#underWay as [Parcel]
      const left = dueAt - performance.now()
      if (left > 0.5) {
        this.#wait(left)
        return
      }
      this.#underWay.shift()
      deliver()
    }
  }
}
