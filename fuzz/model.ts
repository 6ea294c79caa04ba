import fc from 'fast-check'
import { anyBody, goodBody } from './generators/bodies.ts'
import { Broken, ModelClient } from './model-client.ts'
import type { Session, Violation } from './properties.ts'

/** One step of a story. Nothing else is sent meanwhile, so every response is known to the last pet. */
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

/** Plays a story to its end; rejected requests must have stored nothing. */
export function tryStory(session: Session, steps: Step[]) {
  return violationOf(new ModelClient(session), async (client) => {
    await client.begin()
    for (const step of steps) await play(client, step)
    await client.list(100, null, true)
  })
}

/** The violation that ends a story, if one does. */
export async function violationOf(
  client: ModelClient,
  story: (client: ModelClient) => Promise<void>,
): Promise<Violation | undefined> {
  try {
    await story(client)
    return undefined
  } catch (error) {
    if (error instanceof Broken) return { message: error.message, sent: client.sent }
    throw error
  }
}

async function play(client: ModelClient, step: Step) {
  switch (step.do) {
    case 'create':
      await client.create(step.body)
      return
    case 'createOnce':
      return client.createOnce(step.body)
    case 'again':
      return client.again(step.pick, step.body)
    case 'get':
      return client.get(step.pick)
    case 'ids':
      return client.listByIds(step.picks, step.limit)
    case 'list':
      return client.list(step.limit, step.status, step.toTheEnd)
  }
}
