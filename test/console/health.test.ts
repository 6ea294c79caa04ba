import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Status, Webhook } from '../../packages/client/src/index.ts'
import { isStuck, pathOfStuck, problemOf } from '../../packages/console/src/health.ts'

const WEBHOOKS = { active: 1, paused: 1, disabled: 0, undelivered: 0, behind: 0 }
const status = (changes: object = {}) =>
  ({
    database: { state: 'ok' },
    feed: { lagMs: 200 },
    search: { isComplete: true, foundPercent: 100 },
    webhooks: WEBHOOKS,
    ...changes,
  }) as unknown as Status
const webhook = (changes: object) => ({ id: 'wh_1', url: 'https://a.example/', state: 'active', ...changes }) as Webhook
const failing = webhook({ failingSince: '2030-03-15T13:55:00Z' })

test('nothing is wrong if everything works, whatever the key may read', () => {
  assert.equal(problemOf(status(), [webhook({}), webhook({ state: 'paused' })]), undefined)
  assert.equal(problemOf(undefined, [webhook({})]), undefined)
  assert.equal(problemOf(status(), undefined), undefined)
  assert.equal(problemOf(status({ search: undefined, webhooks: undefined }), []), undefined)
})

test('a webhook that fails is named, several are counted, and one that is paused is neither', () => {
  assert.deepEqual(problemOf(status(), [webhook({}), failing]), { kind: 'webhook', webhook: failing })
  const disabled = webhook({ state: 'disabled' })
  assert.deepEqual(problemOf(undefined, [failing, disabled]), { kind: 'webhooks', n: 2 })
  assert.equal(problemOf(undefined, [webhook({ state: 'paused', failingSince: failing.failingSince })]), undefined)
})

test('the worst comes first', () => {
  const worst = {
    database: { state: 'stalled' },
    feed: { lagMs: 1_000 },
    search: { isComplete: false, foundPercent: 40 },
    webhooks: { ...WEBHOOKS, disabled: 2, undelivered: 1 },
  }
  assert.deepEqual(problemOf(status(worst), [failing]), { kind: 'database' })
  const { database: _, ...others } = worst
  assert.deepEqual(problemOf(status(others), [failing]), { kind: 'webhook', webhook: failing })
  assert.deepEqual(problemOf(status(others), undefined), { kind: 'disabled', n: 2 })
  const { webhooks: __, ...late } = others
  assert.deepEqual(problemOf(status({ ...late, webhooks: { ...WEBHOOKS, undelivered: 1 } }), []), {
    kind: 'undelivered',
  })
  assert.deepEqual(problemOf(status(late), []), { kind: 'late' })
  assert.deepEqual(problemOf(status({ search: worst.search }), []), { kind: 'search', n: 40 })
})

test('a webhook that the service has stopped is a problem, and one that a person has paused is none', () => {
  const stopped = webhook({ state: 'paused', reason: 'key_revoked' })
  assert.deepEqual(problemOf(status(), [webhook({}), stopped]), { kind: 'webhook', webhook: stopped })
  assert.deepEqual(
    [webhook({}), webhook({ state: 'paused' }), failing, webhook({ state: 'disabled' }), stopped].map(isStuck),
    [false, false, true, true, true],
  )
})

test('the only webhook with a problem is opened, several are listed', () => {
  assert.equal(pathOfStuck([failing]), '/webhooks?webhook=wh_1')
  assert.equal(pathOfStuck([failing, failing]), '/webhooks')
  assert.equal(pathOfStuck([]), '/webhooks')
})
