import fc from 'fast-check'
import { anyBody, goodBody } from './generators/bodies.ts'
import { goodPatch } from './generators/changes.ts'
import { storyCondition } from './generators/conditions.ts'
import { type Listed, ModelClient } from './model-client.ts'
import { Broken } from './model-pages.ts'
import type { Session, Violation } from './properties.ts'

/** One step of a story. Nothing else is sent meanwhile, so every response is known to the last pet. */
export type Step =
  | { do: 'create'; body: string }
  | { do: 'createOnce'; body: string }
  /** Sends the key of an earlier create or order again, with the same or with another body. */
  | { do: 'again'; pick: number; body: string | null }
  | { do: 'get'; pick: number }
  | ({ do: 'list'; toTheEnd: boolean } & Listed)
  | ({ do: 'ids'; picks: number[] } & Listed)
  | { do: 'update'; pick: number; body: string; condition: string | null }
  | { do: 'delete'; pick: number; condition: string | null }
  | { do: 'place'; pick: number; more: string; once: boolean }
  | { do: 'complete' | 'cancel'; pick: number }
  | { do: 'history'; pick: number; limit: number }
  | { do: 'feed'; limit: number; types: string[] | null }
  | { do: 'orders'; by: 'pet' | 'reference' | null; pick: number; status: string | null; limit: number }

const status = fc.constantFrom(null, null, 'available', 'pending', 'sold')
const limit = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(20, 100))
const body = fc.oneof(
  { weight: 4, arbitrary: goodBody },
  { weight: 2, arbitrary: anyBody },
  // Few categories, so that each has several pets; and pets that can be ordered.
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 3 }).map((id) => `{"name":"a","categoryId":${id},"status":"available"}`),
  },
)
const pick = fc.nat(50)
const view = fc.constantFrom(null, 'full', 'basic')
const newestFirst = fc.boolean()

const one = <Name extends Step['do']>(name: Name) => fc.constant(name)

export const anyStory: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ do: one('create'), body }) },
    { weight: 2, arbitrary: fc.record({ do: one('createOnce'), body: goodBody }) },
    { weight: 2, arbitrary: fc.record({ do: one('again'), pick, body: fc.option(goodBody) }) },
    { weight: 2, arbitrary: fc.record({ do: one('get'), pick }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: one('list'),
        limit,
        status,
        category: fc.option(pick),
        view,
        newestFirst,
        toTheEnd: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: one('ids'),
        picks: fc.array(pick, { minLength: 1, maxLength: 5 }),
        limit,
        view,
        newestFirst,
      }),
    },
    { weight: 5, arbitrary: fc.record({ do: one('update'), pick, body: goodPatch, condition: storyCondition }) },
    { weight: 1, arbitrary: fc.record({ do: one('delete'), pick, condition: storyCondition }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: one('place'),
        pick,
        // Long enough not to expire within a story.
        more: fc.constantFrom('', ',"expiresIn":2592000', ',"reference":"story","expiresIn":60'),
        once: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('complete' as const, 'cancel' as const), pick }) },
    { weight: 3, arbitrary: fc.record({ do: one('history'), pick, limit }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: one('feed'),
        limit,
        types: fc.option(
          fc.subarray(['pet.created', 'pet.updated', 'order.placed', 'order.cancelled'], { minLength: 1 }),
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: one('orders'),
        by: fc.constantFrom(null, 'pet' as const, 'reference' as const),
        pick,
        status: fc.constantFrom(null, null, 'placed', 'completed', 'cancelled'),
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
    await client.list({ limit: 100, view: 'full' }, true)
    await client.list({ limit: 2, newestFirst: true }, true)
    await client.feed(100, null)
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
      return client.listByIds(step.picks, step)
    case 'list':
      return client.list(step, step.toTheEnd)
    case 'update':
      return client.update(step.pick, step.body, step.condition)
    case 'delete':
      return client.delete(step.pick, step.condition)
    case 'place':
      return client.place(step.pick, step.more, step.once)
    case 'complete':
    case 'cancel':
      return client.close(step.pick, step.do)
    case 'history':
      return client.history(step.pick, step.limit)
    case 'feed':
      return client.feed(step.limit, step.types)
    case 'orders':
      return client.listOrders(step.by, step.pick, step.status, step.limit)
  }
}
