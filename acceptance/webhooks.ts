import type { Clause, Context } from './clause.ts'
import { expect, expectStatus, isObject, jsonOf } from './expect.ts'
import type { Response } from './response.ts'
import type { Request } from './wire.ts'

export interface Webhook {
  id: string
  name?: string
  url: string
  types: string[] | null
  state: string
  createdAt: string
  createdBy: string
  changedBy: string
  sequence: string
  behind: bigint
  oldSecretEndsAt?: string
}

export interface WithSecret extends Webhook {
  secret: string
}

export const WEBHOOKS = '/webhooks'
/** An id that no webhook has. */
export const NO_WEBHOOK = 'wh_00000000000000000000'
/** No name below `.example` leads anywhere, so nothing is delivered. */
export const RECEIVER = 'https://verify.example/hooks'

const STATES = ['active', 'paused', 'disabled']
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
/** 32 bytes in base64. */
const SECRET = /^whsec_[0-9A-Za-z+/]{43}=$/
const FIELDS = ['id', 'url', 'types', 'state', 'createdAt', 'sequence', 'behind', 'failingSince', 'attempts']
const OTHERS = ['name', 'createdBy', 'changedBy', 'reason', 'nextAttemptAt', 'lastAttempt', 'oldSecretEndsAt', 'secret']

const JSON_TYPE = { 'Content-Type': 'application/json' }

export function create(body = `{"url":"${RECEIVER}"}`, headers: Record<string, string> = {}): Request {
  return { method: 'POST', path: WEBHOOKS, headers: { ...JSON_TYPE, ...headers }, body }
}

export function get(id: string): Request {
  return { path: `${WEBHOOKS}/${id}` }
}

export function change(id: string, body: string, headers: Record<string, string> = {}): Request {
  const type = { 'Content-Type': 'application/merge-patch+json' }
  return { method: 'PATCH', path: `${WEBHOOKS}/${id}`, headers: { ...type, ...headers }, body }
}

export function removeWebhook(id: string): Request {
  return { method: 'DELETE', path: `${WEBHOOKS}/${id}` }
}

export function rotate(id: string, body = '{}', headers: Record<string, string> = {}): Request {
  return { method: 'POST', path: `${WEBHOOKS}/${id}/rotate`, headers: { ...JSON_TYPE, ...headers }, body }
}

export function ping(id: string): Request {
  return { method: 'POST', path: `${WEBHOOKS}/${id}/ping` }
}

export function retry(id: string): Request {
  return { method: 'POST', path: `${WEBHOOKS}/${id}/retry` }
}

export function attempts(id: string): Request {
  return { path: `${WEBHOOKS}/${id}/attempts` }
}

/** Show whether the service can create webhooks, and whether it sends them to its own machine. They change nothing. */
export const PROBE = rotate(NO_WEBHOOK)
export const LOCAL_PROBE = change(NO_WEBHOOK, '{"url":"http://127.0.0.1:8080/"}')

/** The webhooks of one clause. */
interface Made {
  /** Creates one, which is removed when the clause has ended. */
  created: (fields?: string) => Promise<{ webhook: WithSecret; response: Response }>
  /** Removes one that the clause has created otherwise. */
  removesToo: (id: string) => void
}

let turn: Promise<void> = Promise.resolve()

/** Only one clause at a time creates or removes webhooks: some count them, and a store has room for 20. */
export async function inTurn<Result>(work: () => Promise<Result>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const before = turn
  turn = promise
  await before
  try {
    return await work()
  } finally {
    resolve()
  }
}

/** A clause that creates webhooks, which nothing is delivered for. */
export function webhookClause(
  id: string,
  sentence: string,
  run: (context: Context, made: Made) => Promise<void>,
): Clause {
  return {
    id,
    profile: 'store',
    sentence,
    setting: 'webhooks',
    run: (context) => inTurn(() => runAndRemove(context, run)),
  }
}

async function runAndRemove(context: Context, run: (context: Context, made: Made) => Promise<void>) {
  const ids: string[] = []
  const removesToo = (made: string) => void ids.push(made)
  const created = async (fields = `"url":"${RECEIVER}"`) => {
    const response = await context.call(create(`{${fields}}`))
    const webhook = withSecretOf(response, 201)
    removesToo(webhook.id)
    return { webhook, response }
  }
  try {
    await run(context, { created, removesToo })
  } finally {
    // What cannot be removed must not hide why the clause failed.
    await Promise.all(ids.map((made) => context.call(removeWebhook(made)).catch(() => undefined)))
  }
}

/** The webhook that a response shows, without a secret. */
export function webhookOf(response: Response): Webhook {
  expectStatus(response, 200)
  const webhook = asWebhook(response, jsonOf(response))
  expectNoSecret(response)
  return webhook
}

export function webhooksOf(response: Response): Webhook[] {
  const list = listOf(response).map((item) => asWebhook(response, item))
  expectNoSecret(response)
  return list
}

/** The webhook that was created or got a new secret. */
export function withSecretOf(response: Response, status: 200 | 201): WithSecret {
  expectStatus(response, status)
  const body = jsonOf(response)
  const webhook = asWebhook(response, body)
  const secret = isObject(body) ? body['secret'] : undefined
  expect(response, typeof secret === 'string' && SECRET.test(secret), '`secret`, whsec_ and 32 bytes in base64')
  return { ...webhook, secret }
}

/** Attempts, each whole, newest first. */
export function attemptsOf(response: Response) {
  const list = listOf(response)
  expect(response, list.length <= 100, 'at most 100 attempts', String(list.length))
  const times = list.map((item) => {
    expect(response, isObject(item), 'an attempt, which is a JSON object')
    const { at, eventId, status, error, durationMs, responseBody } = item
    expect(response, isInstant(at), '`at`, in UTC with milliseconds')
    expect(response, typeof eventId === 'string' && eventId.startsWith('evt_'), '`eventId`, evt_…')
    expect(response, status === undefined || typeof status === 'bigint', '`status`, an integer, or absent')
    expect(response, error === undefined || typeof error === 'string', '`error`, a string, or absent')
    expect(response, typeof durationMs === 'bigint' && durationMs >= 0n, '`durationMs`, an integer')
    const isBody = typeof responseBody === 'string' && responseBody.length <= 1_024
    expect(response, responseBody === undefined || isBody, '`responseBody`, of at most 1,024 characters, or absent')
    return at
  })
  expect(response, times.join() === times.toSorted().toReversed().join(), 'the newest attempt first')
  return list
}

export function expectNoSecret(response: Response) {
  const all = [...response.headers].map((header) => header.join()).join() + response.text
  expect(response, !all.includes('whsec_'), 'no secret')
}

function listOf(response: Response): unknown[] {
  expectStatus(response, 200)
  const body = jsonOf(response)
  expect(response, Array.isArray(body), 'a bare JSON array')
  return body
}

function asWebhook(response: Response, value: unknown): Webhook {
  expect(response, isObject(value), 'a Webhook, which is a JSON object')
  const { id, name, url, types, state, createdAt, createdBy, changedBy, sequence, behind, oldSecretEndsAt } = value
  expect(response, typeof id === 'string' && /^wh_[0-9A-Za-z]{20}$/.test(id), 'a Webhook with `id`, wh_…')
  expect(response, name === undefined || typeof name === 'string', 'a Webhook with `name`, a string, or absent')
  expect(response, typeof url === 'string', 'a Webhook with `url`, a string')
  expect(response, types === null || isTexts(types), 'a Webhook with `types`, an array of strings or null')
  expect(response, typeof state === 'string' && STATES.includes(state), `\`state\`, one of ${STATES.join(', ')}`)
  expect(response, isInstant(createdAt), '`createdAt`, in UTC with milliseconds')
  expect(response, createdBy === undefined || typeof createdBy === 'string', '`createdBy`, a string, or absent')
  expect(response, changedBy === undefined || typeof changedBy === 'string', '`changedBy`, a string, or absent')
  expect(response, typeof sequence === 'string' && /^\d{16}$/.test(sequence), '`sequence`, 16 digits')
  expect(response, typeof behind === 'bigint' && behind >= 0n, '`behind`, an integer from 0')
  const ends = oldSecretEndsAt
  expect(response, ends === undefined || isInstant(ends), '`oldSecretEndsAt`, in UTC with milliseconds, or absent')
  const unknown = Object.keys(value).find((field) => !FIELDS.includes(field) && !OTHERS.includes(field))
  expect(response, unknown === undefined, 'no other field', unknown)
  const keys = { createdBy: createdBy ?? '', changedBy: changedBy ?? '' }
  return {
    id,
    ...(name !== undefined && { name }),
    url,
    types,
    state,
    createdAt,
    ...keys,
    sequence,
    behind,
    ...(ends !== undefined && { oldSecretEndsAt: ends }),
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && INSTANT.test(value)
}
