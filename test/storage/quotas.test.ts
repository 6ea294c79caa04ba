import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { createClient } from '@redis/client'
import type { Usage } from '../../src/lib/rate-limit.ts'
import { Quotas } from '../../src/storage/limits/quotas.ts'
import { Redis } from '../../src/storage/limits/redis.ts'
import { noRedis, startRedis } from '../support/redis.ts'
import { until } from '../support/until.ts'

const PER_HOUR = { quota: 10, windowSeconds: 3_600 }

function spendMany(quotas: Quotas, name: string, times: number, limit = PER_HOUR) {
  return Promise.all(Array.from({ length: times }, async () => await quotas.spend(name, limit)))
}

function admittedOf(spent: Usage[]) {
  return spent.filter(({ isOver }) => !isOver).length
}

describe('in memory', () => {
  test('each use is told what is left, and those beyond the quota that they are', async () => {
    const spent = await spendMany(new Quotas('key'), 'a', 13)
    assert.deepEqual(
      spent.map(({ remaining }) => remaining),
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0],
    )
    assert.equal(admittedOf(spent), 10)
    for (const { msLeft } of spent) assert.ok(msLeft > 3_500_000 && msLeft <= 3_600_000)
  })

  test('names and limits do not share a quota', async () => {
    const quotas = new Quotas('key')
    const all = [await spendMany(quotas, 'a', 20), await spendMany(quotas, 'b', 20)]
    assert.deepEqual(all.map(admittedOf), [10, 10])
    assert.equal(admittedOf(await spendMany(quotas, 'a', 20, { quota: 15, windowSeconds: 3_600 })), 15)
  })

  test('two keys of a chain with different limits do not reset each other', async () => {
    const quotas = new Quotas('key')
    const other = { quota: 5, windowSeconds: 3_600 }
    const spent: Usage[] = []
    for (let i = 0; i < 20; i++) spent.push(await quotas.spend('a', i % 2 === 0 ? PER_HOUR : other))
    assert.equal(admittedOf(spent), 15)
  })

  test('when nothing is left, that is told at once', async () => {
    const quotas = new Quotas('key')
    await spendMany(quotas, 'a', 10)
    const spent = quotas.spend('a', PER_HOUR)
    assert.ok(!(spent instanceof Promise))
    assert.equal(spent.isOver, true)
  })

  test('a new window has the whole quota again', async () => {
    const quotas = new Quotas('key')
    const perSecond = { quota: 3, windowSeconds: 1 }
    assert.equal(admittedOf(await spendMany(quotas, 'a', 5, perSecond)), 3)
    await until(() => quotas.msUntilReset('a', perSecond) <= 0)
    assert.equal(admittedOf(await spendMany(quotas, 'a', 5, perSecond)), 3)
  })

  test('when there are too many, who was not seen for longest is forgotten, and nobody else', async () => {
    const quotas = new Quotas('address')
    for (const name of ['first', 'second']) await spendMany(quotas, name, 10)
    const others = (from: number) =>
      Promise.all(Array.from({ length: 5_000 }, async (_, i) => await quotas.spend(`other ${from + i}`, PER_HOUR)))
    await others(0)
    assert.ok(quotas.msUntilReset('first', PER_HOUR) > 0)
    await quotas.spend('second', PER_HOUR)
    await others(5_000)
    assert.equal(quotas.msUntilReset('first', PER_HOUR), 0)
    assert.ok(quotas.msUntilReset('second', PER_HOUR) > 0)
    assert.equal(admittedOf(await spendMany(quotas, 'first', 20)), 10)
  })

  test('a clock that is set back makes no window longer', async () => {
    const quotas = new Quotas('key')
    await spendMany(quotas, 'a', 9)
    const now = Date.now()
    mock.timers.enable({ apis: ['Date'], now: now - 3_600_000 })
    try {
      await spendMany(quotas, 'a', 1)
    } finally {
      mock.timers.reset()
    }
    const left = quotas.msUntilReset('a', PER_HOUR)
    assert.ok(left <= 3_600_000, `${left}`)
  })
})

describe('in Redis', { skip: noRedis }, async () => {
  if (noRedis) return
  const server = await startRedis()
  const events: string[] = []
  const open = async () => {
    const redis = new Redis(server.url, {
      onLost: () => events.push('lost'),
      onRecovered: () => events.push('found'),
    })
    await redis.start()
    return redis
  }
  /** How often it was asked for a quota so far. */
  const questions = async () => {
    const operator = createClient({ url: server.url })
    await operator.connect()
    const statistics = await operator.info('commandstats')
    operator.destroy()
    return Number(/cmdstat_eval:calls=(\d+)/.exec(statistics)?.[1])
  }

  test('processes share one quota, to the last use', async () => {
    await using first = await open()
    await using second = await open()
    const spent = await Promise.all(
      [first, second, first].map((redis) =>
        spendMany(new Quotas('key', redis), 'shared', 40, { ...PER_HOUR, quota: 50 }),
      ),
    )
    assert.equal(admittedOf(spent.flat()), 50)
    assert.deepEqual(
      spent
        .flat()
        .filter(({ isOver }) => !isOver)
        .map(({ remaining }) => remaining)
        .toSorted((a, b) => a - b),
      Array.from({ length: 50 }, (_, i) => i),
      'and each is told another number',
    )
  })

  test('a window begins with its first use, and the next one has the whole quota again', async () => {
    await using redis = await open()
    const [quotas, other] = [new Quotas('key', redis), new Quotas('key', redis)]
    const perSecond = { quota: 3, windowSeconds: 1 }
    for (let window = 0; window < 2; window++) {
      const spent = [await quotas.spend('short', perSecond), ...(await spendMany(other, 'short', 4, perSecond))]
      assert.equal(admittedOf(spent), 3)
      for (const { msLeft } of spent) assert.ok(msLeft > 0 && msLeft <= 1_000, `${msLeft}`)
      await until(() => other.msUntilReset('short', perSecond) <= 0)
    }
  })

  test('who floods is asked for together, and not at all when nothing is left', async () => {
    await using redis = await open()
    const quotas = new Quotas('key', redis)
    const before = await questions()
    for (let round = 0; round < 10; round++) await spendMany(quotas, 'flood', 1_000, { ...PER_HOUR, quota: 5_000 })
    const asked = (await questions()) - before
    assert.ok(asked <= 20, `${asked} questions for 10,000 uses`)
  })

  test('one that falls silent costs one short wait; memory counts until it answers again, and then all share again', async () => {
    await using redis = await open()
    const quotas = new Quotas('key', redis)
    await quotas.spend('warm', PER_HOUR)
    events.length = 0
    server.signal('SIGSTOP')
    const asked = performance.now()
    assert.equal(admittedOf(await spendMany(quotas, 'frozen', 15)), 10)
    assert.ok(performance.now() - asked < 500)
    assert.deepEqual(events, ['lost'])
    const askedAgain = performance.now()
    for (let i = 0; i < 100; i++) await quotas.spend(`frozen ${i}`, PER_HOUR)
    assert.ok(performance.now() - askedAgain < 50 * 3, 'nobody waits for it any more')

    server.signal('SIGCONT')
    await until(() => redis.isReady)
    assert.deepEqual(events, ['lost', 'found'])
    const other = new Quotas('key', redis)
    assert.equal(admittedOf([...(await spendMany(quotas, 'thawed', 8)), ...(await spendMany(other, 'thawed', 8))]), 10)
  })

  test('one that is killed is found again when it is back; what is away at the start, too', async () => {
    await using redis = await open()
    const quotas = new Quotas('key', redis)
    await quotas.spend('warm', PER_HOUR)
    await server.kill()
    assert.equal(admittedOf(await spendMany(quotas, 'killed', 15)), 10)
    await using late = await open()
    assert.equal(late.isReady, false)
    await server.start()
    await until(() => redis.isReady && late.isReady)
    const spent = [...(await spendMany(quotas, 'back', 8)), ...(await spendMany(new Quotas('key', late), 'back', 8))]
    assert.equal(admittedOf(spent), 10)
  })

  test('one that is silent at the start holds nobody up', async () => {
    server.signal('SIGSTOP')
    const begun = performance.now()
    await using redis = await open()
    assert.ok(performance.now() - begun < 3_000)
    assert.equal(admittedOf(await spendMany(new Quotas('key', redis), 'silent', 15)), 10)
    server.signal('SIGCONT')
    await until(() => redis.isReady)
  })

  test('a Redis that takes no writes is as good as none', async () => {
    await using redis = await open()
    const operator = createClient({ url: server.url })
    await operator.connect()
    await operator.configSet('min-replicas-to-write', '1')
    assert.equal(admittedOf(await spendMany(new Quotas('key', redis), 'no writes', 15)), 10)
    assert.equal(redis.isReady, false)
    await operator.configSet('min-replicas-to-write', '0')
    await until(() => redis.isReady)
    operator.destroy()
  })
})
