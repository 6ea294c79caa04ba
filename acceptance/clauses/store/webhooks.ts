import { isDeepStrictEqual } from 'node:util'
import type { Clause, Context } from '../../clause.ts'
import { caughtUp, endOfFeed } from '../../events.ts'
import { expect, expectError, expectHeader, expectStatus, objectOf } from '../../expect.ts'
import type { Response } from '../../response.ts'
import { expectConflict, expectDeleted, newPet } from '../../store.ts'
import {
  attempts,
  attemptsOf,
  change,
  create,
  expectNoSecret,
  get,
  ping,
  RECEIVER,
  removeWebhook,
  rotate,
  WEBHOOKS,
  type Webhook,
  type WithSecret,
  webhookClause,
  webhookOf,
  webhooksOf,
  withSecretOf,
} from '../../webhooks.ts'

const MAX_WEBHOOKS = 20
/** What is left before several are created at once, and how many more those are. */
const ROOM = 2
const TOO_MANY = 28
const DAY_MS = 86_400_000
/** The clocks of both sides, and a busy machine. */
const TOLERANCE_MS = 60_000
const MOVES = 'W6: A cursor of the feed moves a webhook'
const LIMIT = 'W9: A store has at most 20 webhooks'

const CHANGES: [id: string, what: string, body: string, expected: Partial<Webhook>][] = [
  ['url', 'the URL', '{"url":"https://verify.example:8443/x"}', { url: 'https://verify.example:8443/x' }],
  ['types', 'the types', '{"types":["pet.deleted"]}', { types: ['pet.deleted'] }],
  ['all', 'the types to all, with null', '{"types":null}', { types: null }],
  ['pause', 'the state to paused', '{"state":"paused"}', { state: 'paused' }],
  ['activate', 'the state to active', '{"state":"active"}', { state: 'active' }],
  [
    'several',
    'several fields at once',
    '{"state":"paused","types":["pet.created"]}',
    { state: 'paused', types: ['pet.created'] },
  ],
  ['unknown', 'nothing by fields that it does not know', '{"state":"active","id":"x","sequence":"0","secret":"y"}', {}],
]

/** The cursor in the query of a page. */
const cursorIn = (query: string) => new URLSearchParams(query).get('cursor') ?? ''

/** The webhook is as expected, but for its place, which deliveries change. */
function expectWebhook(response: Response, given: Webhook, expected: Webhook) {
  const { sequence: _, behind: __, ...rest } = expected
  const shown = { ...given, sequence: '', behind: 0n }
  expect(response, isDeepStrictEqual(shown, { ...rest, sequence: '', behind: 0n }), JSON.stringify(rest))
}

function withoutSecret(created: WithSecret): Webhook {
  const { secret: _, ...webhook } = created
  return webhook
}

/** How long the old secret still signs. */
function overlapOf(response: Response, { oldSecretEndsAt }: Webhook) {
  expect(response, oldSecretEndsAt !== undefined, '`oldSecretEndsAt`')
  return Date.parse(oldSecretEndsAt) - Date.now()
}

/** A place in the feed that two events come after: its cursor, and its number. */
async function earlierPlace(context: Context) {
  const start = await endOfFeed(context)
  await context.add(newPet())
  const { events, response } = await caughtUp(context, start)
  const [first] = events
  expect(response, first?.sequence !== undefined, 'events')
  return { cursor: cursorIn(start), sequence: BigInt(first.sequence) - 1n }
}

export const WEBHOOKS_WORK: Clause[] = [
  webhookClause('webhooks.create', '`createWebhook` is 201 with Location and a secret.', async ({ basePath }, made) => {
    const { webhook, response } = await made.created()
    expectHeader(response, 'Location', new RegExp(`${basePath}${WEBHOOKS}/${webhook.id}$`))
    expect(response, webhook.url === RECEIVER && webhook.types === null && webhook.state === 'active', 'its fields')
    expect(response, Math.abs(Date.parse(webhook.createdAt) - Date.now()) < TOLERANCE_MS, '`createdAt`, now')
    expect(response, webhook.oldSecretEndsAt === undefined, 'no `oldSecretEndsAt`')
  }),
  webhookClause(
    'webhooks.create.types',
    'A webhook has the types that it was created with.',
    async ({ call }, made) => {
      const types = ['order.placed', 'pets.imported', 'pet.created']
      const { webhook, response } = await made.created(`"url":"${RECEIVER}","types":${JSON.stringify(types)}`)
      expect(response, isDeepStrictEqual(webhook.types, types), JSON.stringify(types))
      const read = await call(get(webhook.id))
      expect(read, isDeepStrictEqual(webhookOf(read).types, types), JSON.stringify(types))
    },
  ),
  webhookClause('webhooks.create.end', 'A new webhook begins at the end of the feed.', async (context, made) => {
    const { events } = await caughtUp(context, await endOfFeed(context))
    const last = events.at(-1)?.sequence ?? ''
    const { webhook, response } = await made.created()
    expect(response, webhook.sequence >= last, `\`sequence\` ${last} or more`, webhook.sequence)
    expect(response, webhook.behind < 1_000n, '`behind`, little')
  }),
  webhookClause('webhooks.get', '`getWebhook` returns what was created.', async ({ call }, made) => {
    const { webhook } = await made.created('"url":"https://VERIFY.example/?a=%7e","types":["pet.updated"]')
    const response = await call(get(webhook.id))
    expectWebhook(response, webhookOf(response), withoutSecret(webhook))
  }),
  webhookClause('webhooks.list', '`listWebhooks` returns all webhooks, oldest first.', async ({ call }, made) => {
    const [first, second] = [(await made.created()).webhook, (await made.created()).webhook]
    const response = await call({ path: WEBHOOKS })
    const all = webhooksOf(response)
    const own = all.filter(({ id }) => id === first.id || id === second.id)
    expect(response, own.map(({ id }) => id).join() === `${first.id},${second.id}`, 'both, the older first')
    const times = all.map(({ createdAt }) => createdAt)
    expect(response, times.join() === times.toSorted().join(), 'the oldest first')
    expect(response, all.length <= MAX_WEBHOOKS, `at most ${MAX_WEBHOOKS}`)
  }),
  webhookClause('webhooks.secrets', 'Each webhook has a secret of its own.', async (_, made) => {
    const [first, second] = [await made.created(), await made.created()]
    expect(second.response, first.webhook.secret !== second.webhook.secret, 'another `secret`')
  }),
  webhookClause('webhooks.w7', 'W7: No response but create and rotate has a secret.', async ({ call }, made) => {
    const { webhook } = await made.created()
    const { id } = withSecretOf(await call(rotate(webhook.id)), 200)
    for (const request of [
      { path: WEBHOOKS },
      get(id),
      change(id, '{"state":"paused"}'),
      attempts(id),
      ping(id),
      create(`{"url":"${webhook.secret}"}`),
      create(`{"url":"${RECEIVER}","types":["${webhook.secret}"]}`),
      get(encodeURIComponent(webhook.secret)),
      rotate(id, `{"overlap":"${webhook.secret}"}`),
      removeWebhook(id),
    ])
      expectNoSecret(await call(request))
  }),
  ...CHANGES.map(([name, what, body, expected]) =>
    webhookClause(`webhooks.change.${name}`, `\`updateWebhook\` changes ${what}.`, async ({ call }, made) => {
      const { webhook } = await made.created(`"url":"${RECEIVER}","types":["order.placed"]`)
      const response = await call(change(webhook.id, body))
      expectWebhook(response, webhookOf(response), { ...withoutSecret(webhook), ...expected })
      const read = await call(get(webhook.id))
      expectWebhook(read, webhookOf(read), { ...withoutSecret(webhook), ...expected })
    }),
  ),
  webhookClause('webhooks.change.json', '`updateWebhook` reads application/json too.', async ({ call }, made) => {
    const { webhook } = await made.created()
    const response = await call(change(webhook.id, '{"state":"paused"}', { 'Content-Type': 'application/json' }))
    expect(response, webhookOf(response).state === 'paused', '`state` paused')
  }),
  webhookClause(
    'webhooks.w6.back',
    `${MOVES} back: the events after it count as not delivered.`,
    async (context, made) => {
      const { cursor, sequence } = await earlierPlace(context)
      const { webhook } = await made.created()
      const response = await context.call(change(webhook.id, `{"state":"paused","cursor":"${cursor}"}`))
      const moved = webhookOf(response)
      expect(response, BigInt(moved.sequence) === sequence, `\`sequence\` ${sequence}`, moved.sequence)
      expect(response, moved.behind >= 2n, '`behind` 2 or more', String(moved.behind))
    },
  ),
  webhookClause(
    'webhooks.w6.forth',
    `${MOVES} forward: the events before it count as delivered.`,
    async (context, made) => {
      const { webhook } = await made.created()
      await context.call(change(webhook.id, '{"state":"paused"}'))
      const { cursor, sequence } = await earlierPlace(context)
      const response = await context.call(change(webhook.id, `{"cursor":"${cursor}"}`))
      const moved = webhookOf(response)
      expect(response, BigInt(moved.sequence) === sequence, `\`sequence\` ${sequence}`, moved.sequence)
      expect(response, moved.state === 'paused', '`state` paused, as before')
    },
  ),
  webhookClause(
    'webhooks.w6.altered',
    `${MOVES} only if it was issued: an altered one is 400 or 410.`,
    async (context, made) => {
      const { cursor } = await earlierPlace(context)
      const { webhook } = await made.created()
      const paused = webhookOf(await context.call(change(webhook.id, '{"state":"paused"}')))
      for (const place of [3, 10, 20]) {
        const other = cursor[place] === 'A' ? 'B' : 'A'
        const altered = cursor.slice(0, place) + other + cursor.slice(place + 1)
        const response = await context.call(change(webhook.id, `{"cursor":"${altered}"}`))
        expectStatus(response, 400, 410)
        expectError(response, response.status, response.status === 400 ? 'invalid_body' : 'cursor_expired')
      }
      const response = await context.call(get(webhook.id))
      expect(response, webhookOf(response).sequence === paused.sequence, 'its place as before')
    },
  ),
  webhookClause(
    'webhooks.rotate',
    'A rotation returns another secret; the old one signs for a day.',
    async ({ call }, made) => {
      const { webhook } = await made.created()
      const seen = [webhook.secret]
      for (let i = 0; i < 2; i++) {
        const response = await call(rotate(webhook.id))
        const rotated = withSecretOf(response, 200)
        expect(response, !seen.includes(rotated.secret), 'a secret that it did not have before')
        seen.push(rotated.secret)
        expect(response, Math.abs(overlapOf(response, rotated) - DAY_MS) < TOLERANCE_MS, '`oldSecretEndsAt` in a day')
      }
    },
  ),
  webhookClause('webhooks.rotate.overlap', 'The overlap of a rotation is up to a week.', async ({ call }, made) => {
    const { webhook } = await made.created()
    const response = await call(rotate(webhook.id, '{"overlap":604800}'))
    const left = overlapOf(response, withSecretOf(response, 200))
    expect(response, Math.abs(left - 7 * DAY_MS) < TOLERANCE_MS, '`oldSecretEndsAt` in a week')
    const read = await call(get(webhook.id))
    expect(read, Math.abs(overlapOf(read, webhookOf(read)) - 7 * DAY_MS) < TOLERANCE_MS, 'the same by getWebhook')
  }),
  webhookClause('webhooks.rotate.at-once', 'With overlap 0 the old secret ends at once.', async ({ call }, made) => {
    const { webhook } = await made.created()
    await call(rotate(webhook.id))
    const response = await call(rotate(webhook.id, '{"overlap":0}'))
    expect(response, withSecretOf(response, 200).oldSecretEndsAt === undefined, 'no `oldSecretEndsAt`')
  }),
  ...['active', 'paused'].map((state) =>
    webhookClause(
      `webhooks.ping.${state}`,
      `\`pingWebhook\` is 202 without a body: ${state}.`,
      async ({ call }, made) => {
        const { webhook } = await made.created()
        await call(change(webhook.id, `{"state":"${state}"}`))
        const response = await call(ping(webhook.id))
        expectStatus(response, 202)
        expect(response, response.text === '', 'no body')
      },
    ),
  ),
  webhookClause(
    'webhooks.attempts',
    '`listWebhookAttempts` returns whole attempts, newest first.',
    async ({ call }, made) => {
      const { webhook } = await made.created()
      attemptsOf(await call(attempts(webhook.id)))
    },
  ),
  webhookClause(
    'webhooks.delete',
    '`deleteWebhook` is 204, and then the webhook is gone: 404.',
    async ({ call }, made) => {
      const { webhook } = await made.created()
      const { id } = webhook
      expectDeleted(await call(removeWebhook(id)))
      const again = [get(id), change(id, '{"state":"active"}'), removeWebhook(id), rotate(id), ping(id), attempts(id)]
      for (const request of again) expectError(await call(request), 404, 'webhook_not_found')
      const list = await call({ path: WEBHOOKS })
      expect(
        list,
        webhooksOf(list).every((each) => each.id !== id),
        'a list without it',
      )
    },
  ),
  webhookClause('webhooks.w9', `${LIMIT}: the next one is 409, until one is deleted.`, async ({ call }, made) => {
    const { length } = webhooksOf(await call({ path: WEBHOOKS }))
    const own: string[] = []
    for (let i = length; i < MAX_WEBHOOKS; i++) own.push((await made.created()).webhook.id)
    expectConflict(await call(create()), 'too_many_webhooks')
    const list = await call({ path: WEBHOOKS })
    expect(list, webhooksOf(list).length === MAX_WEBHOOKS, `${MAX_WEBHOOKS} webhooks`)
    const [id] = own
    if (id === undefined) return // all of them belong to others
    expectDeleted(await call(removeWebhook(id)))
    await made.created()
    expectConflict(await call(create()), 'too_many_webhooks')
  }),
  webhookClause('webhooks.w9.race', `${LIMIT}, also when several are created at once.`, async ({ call }, made) => {
    const { length } = webhooksOf(await call({ path: WEBHOOKS }))
    for (let i = length; i < MAX_WEBHOOKS - ROOM; i++) await made.created()
    const responses = await Promise.all(Array.from({ length: ROOM + TOO_MANY }, () => call(create())))
    for (const response of responses)
      if (response.status === 201) made.removesToo(String(objectOf(response)['id']))
      // A busy service may shed requests that wait for each other.
      else if (response.status !== 503) expectConflict(response, 'too_many_webhooks')
    const [any] = responses
    const count = responses.filter(({ status }) => status === 201).length
    const room = Math.min(ROOM, MAX_WEBHOOKS - length)
    if (any) expect(any, count === room, `201 for ${room} of them`, String(count))
  }),
]
