import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

// Tests wait here. The exceptions are in SLEEPS, in test/architecture.test.ts.

/** Longer than any condition takes on a busy machine, and shorter than the limit of a test, whose failure names no condition. */
const MAX_MS = 60_000
const POLL_MS = 10

type Falsy = undefined | null | false | 0 | 0n | ''

/** Polls until `check` returns a truthy value, and returns it. What `check` throws fails the test at once. */
export async function until<T>(check: () => T | Falsy | Promise<T | Falsy>, mostMs = MAX_MS) {
  for (const end = performance.now() + mostMs; ; await sleep(POLL_MS)) {
    const value = await check()
    if (value) return value
    assert.ok(performance.now() < end, `not within ${mostMs / 1_000} s: ${String(check)}`)
  }
}

/** Asserts that `check` holds for this long. */
export async function throughout(ms: number, check: () => unknown) {
  for (const end = performance.now() + ms; ; await sleep(POLL_MS)) {
    assert.ok(await check(), `no longer so: ${String(check)}`)
    if (performance.now() >= end) return
  }
}
