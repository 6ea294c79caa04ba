import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { createPetstore, type PetRecord } from '../src/index.ts'
import { collect } from './support/collect.ts'
import { petstore, startService } from './support/service.ts'

// `LONG_TESTS=1 node --test test/rotation.test.ts` rotates ten times.
const ROTATIONS = process.env['LONG_TESTS'] === '1' ? 10 : 1
const OVERLAP_SECONDS = 5

const { baseUrl, directory, key } = await startService()
const owner = createPetstore({ baseUrl, key })

test(`mirror and follow run through ${ROTATIONS} rotations with ${OVERLAP_SECONDS} s of overlap`, {
  timeout: 60_000 + ROTATIONS * 20_000,
}, async () => {
  const created = await petstore(directory, 'keys', 'create', '--test', '--name', 'mirror', '--scope', 'all', '--json')
  let { id, key: current } = JSON.parse(created) as { id: string; key: string }
  let rejected = 0
  const store = createPetstore({
    baseUrl,
    key: async () => current,
    onResponse: ({ status }) => {
      if (status === 401) rejected++
    },
  })

  const stop = new AbortController()
  const { signal } = stop
  const copy = new Map<bigint, PetRecord>()
  let isComplete = false
  const mirroring = (async () => {
    for await (const _ of store.mirror(copy, { signal })) isComplete = true
  })()
  const followed = new Set<bigint | undefined>()
  const following = (async () => {
    for await (const { events } of store.events.follow({ from: 'oldest', signal }))
      for (const { data } of events) followed.add(data.pet?.id)
  })()
  const ended = Promise.race([mirroring, following])
  ended.catch(() => {})

  const added: bigint[] = []
  const addAndSee = async () => {
    const pet = await owner.pets.create({ name: 'Rex', categoryId: 1n })
    added.push(pet.id)
    await Promise.race([until(() => copy.has(pet.id) && followed.has(pet.id)), ended])
  }

  await Promise.race([until(() => isComplete), ended])
  for (let i = 0; i < ROTATIONS; i++) {
    await addAndSee()
    const rotated = await petstore(directory, 'keys', 'rotate', id, '--overlap', `${OVERLAP_SECONDS}s`, '--json')
    const made = JSON.parse(rotated) as { id: string; key: string; replaces: { expiresAt: string } }
    await addAndSee()
    current = made.key
    id = made.id
    const before = rejected
    // Each of the two uses the old key until it is rejected.
    await Promise.race([
      until(async () => {
        await addAndSee()
        return rejected > before && Date.now() > Date.parse(made.replaces.expiresAt)
      }, 30_000),
      ended,
    ])
  }
  await addAndSee()
  const records = await collect(owner.pets.list({ view: 'full' }))
  assert.deepEqual(
    [...copy.values()].toSorted((a, b) => Number(a.id - b.id)),
    records,
  )
  assert.ok(added.every((each) => followed.has(each)))
  assert.ok(rejected >= ROTATIONS, `${rejected} requests were rejected`)

  stop.abort(new Error('enough'))
  await assert.rejects(mirroring, { message: 'enough' })
  await assert.rejects(following, { message: 'enough' })
})
