import fc from 'fast-check'
import { anyBody, goodBody } from './generators/bodies.ts'
import type { Session, Violation } from './properties.ts'
import { Broken, Teller } from './teller.ts'

/** One step of a story that nobody else disturbs, so that every answer is known to the last pet. */
export type Step =
  | { do: 'create'; body: string }
  | { do: 'createOnce'; body: string }
  /** Sends the key of an earlier create again, with its pet or with another. */
  | { do: 'again'; pick: number; body: string | null }
  | { do: 'get'; pick: number }
  | { do: 'list'; limit: number; status: string | null; toTheEnd: boolean }
  | { do: 'ids'; picks: number[]; limit: number }

const status = fc.constantFrom(null, null, 'available', 'pending', 'sold')
const limit = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(20, 100))
const body = fc.oneof({ weight: 4, arbitrary: goodBody }, { weight: 3, arbitrary: anyBody })

export const anyStory: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ do: fc.constant('create' as const), body }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('createOnce' as const), body: goodBody }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('again' as const), pick: fc.nat(50), body: fc.option(goodBody) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('get' as const), pick: fc.nat(50) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('list' as const), limit, status, toTheEnd: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('ids' as const),
        picks: fc.array(fc.nat(50), { minLength: 1, maxLength: 5 }),
        limit,
      }),
    },
  ),
  { minLength: 1, maxLength: 25 },
)

/** Tells a story to its end, where whatever was refused must have left nothing behind. */
export function tryStory(session: Session, steps: Step[]) {
  return telling(new Teller(session), async (teller) => {
    await teller.begin()
    for (const step of steps) await tell(teller, step)
    await teller.list(100, null, true)
  })
}

/** What a story broke with, as a violation. */
export async function telling(
  teller: Teller,
  story: (teller: Teller) => Promise<void>,
): Promise<Violation | undefined> {
  try {
    await story(teller)
    return undefined
  } catch (error) {
    if (error instanceof Broken) return { message: error.message, sent: teller.sent }
    throw error
  }
}

async function tell(teller: Teller, step: Step) {
  switch (step.do) {
    case 'create':
      await teller.create(step.body)
      return
    case 'createOnce':
      return teller.createOnce(step.body)
    case 'again':
      return teller.again(step.pick, step.body)
    case 'get':
      return teller.get(step.pick)
    case 'ids':
      return teller.listByIds(step.picks, step.limit)
    case 'list':
      return teller.list(step.limit, step.status, step.toTheEnd)
  }
}
