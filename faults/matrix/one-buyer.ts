import { createPetstore, PetstoreError } from '../../packages/client/src/index.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { brokenRules, countsOf, judge } from '../orders/judge.ts'
import { emptyRecord } from '../orders/record.ts'
import { readShop } from '../orders/stored.ts'
import { baseUrlOf, openStore, startServices } from '../store.ts'

const PROCESSES = 3
const FULL = { rounds: 100, buyers: 1_000 }
const QUICK = { rounds: 5, buyers: 200 }

/** Nothing breaks here: what makes it hard is that all of them want the same pet at once. */
export const oneBuyer: Fault = {
  name: 'one-buyer',
  injected: `1,000 buyers order the same pet at once, at ${PROCESSES} processes; in the short form 200`,
  invariant: 'one order is placed, all others are rejected with pet_not_available',
  quick: true,
  run: raceForPets,
}

async function raceForPets(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say(`starting PostgreSQL and ${PROCESSES} processes of the service …`)
  const { databaseUrl, key } = await openStore(stage, resources)
  const services = await startServices(stage, resources, databaseUrl, { count: PROCESSES })
  const stores = services.map((service) => createPetstore({ baseUrl: baseUrlOf(service), key }))
  const { rounds, buyers } = { ...(stage.quick ? QUICK : FULL), ...(stage.times && { rounds: stage.times }) }
  const label = `one-buyer ${Date.now()}`
  const record = emptyRecord()
  const ends: Record<string, number> = {}
  const broken: string[] = []
  const [store] = stores as [(typeof stores)[number]]
  const begun = performance.now()

  for (let round = 1; round <= rounds; round++) {
    const { id: petId } = await store.pets.create({ name: `${label} ${round}`, categoryId: 1n, status: 'available' })
    const order = async (buyer: number) => {
      const reference = `${label} ${round} ${buyer}`
      const sent = performance.now()
      try {
        const orders = stores[buyer % stores.length]?.orders ?? store.orders
        const { id: orderId, expiresAt } = await orders.place({ petId, reference })
        record.placed.push({ orderId, petId, reference, expiresAt, begun: sent, at: performance.now() })
        return 'placed'
      } catch (error) {
        return error instanceof PetstoreError ? error.code : String(error)
      }
    }
    const results = await Promise.all(Array.from({ length: buyers }, (_, i) => order(i)))
    for (const result of results) ends[result] = (ends[result] ?? 0) + 1
    const placed = results.filter((result) => result === 'placed').length
    if (placed !== 1) broken.push(`round ${round}: ${placed} orders for one pet were placed`)
    if (round % 10 === 0 || round === rounds) stage.say(`round ${round} of ${rounds}: ${JSON.stringify(ends)}`)
  }

  const violations = judge(record, await readShop(databaseUrl, label))
  const { placed = 0, pet_not_available: rejected = 0, ...others } = ends
  const failed = Object.values(others).reduce((sum, count) => sum + count, 0)
  return {
    times: rounds,
    acked: placed,
    ...countsOf(violations),
    failed,
    rejected,
    seconds: Math.round((performance.now() - begun) / 1_000),
    broken: [
      ...brokenRules(violations),
      ...broken,
      ...(failed > 0 ? [`${failed} calls ended otherwise: ${JSON.stringify(others)}`] : []),
    ],
  }
}
