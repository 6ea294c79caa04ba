import { setTimeout as sleep } from 'node:timers/promises'
import { createPetstore } from '../../packages/client/src/index.ts'
import { brokenRules, countsOf, judge } from '../feed/judge.ts'
import { type Change, eventKey } from '../feed/record.ts'
import { Writers } from '../feed/writers.ts'
import { until } from '../rig/until.ts'
import { storedEvents } from '../stored.ts'
import type { Clients } from './clients.ts'
import { Follower, readAll } from './follower.ts'

export interface SessionOptions {
  baseUrl: string
  key: string
  databaseUrl: string
  /** What the names of all pets begin with, and what those of this session do after that. */
  label: string
  name: string
  clients: Clients
  lastsMs: number
  /** Of the writers. */
  perSecond: number
}

const READ_WITHIN_MS = 10_000

/** While all processes are of this version: writers make every kind of change, and a follower must get each, also what other clients add. */
export async function playSession({ clients, name, lastsMs, perSecond, databaseUrl, ...target }: SessionOptions) {
  const follower = await Follower.start(target)
  const begun = performance.now()
  const label = `${target.label} ${name}`
  const writers = await Writers.start({ ...target, label, perSecond, writers: 16, retries: 0 })
  await sleep(lastsMs)
  await writers.stop()
  const ended = performance.now()
  await clients.calls.settled()

  const acknowledged = [
    ...writers.changes.filter(({ result }) => result === 'acknowledged'),
    ...clients.added.filter((pet) => pet.begun >= begun && pet.at <= ended).map((pet) => added(pet, 'acknowledged')),
  ]
  await until('the follower has read all changes', READ_WITHIN_MS, async () => {
    const read = new Set(follower.events.map(({ change }) => change))
    return acknowledged.every((change) => read.has(change.name))
  }).catch(() => undefined)
  await follower.stop()
  const stored = await storedEvents(databaseUrl, label)
  const feed = await readAll(createPetstore({ ...target, retries: Number.POSITIVE_INFINITY }), target.label)
  // What was on its way when the feed was read.
  await clients.calls.settled()
  const known = new Set(acknowledged.map((change) => change.name))
  const others = [...writers.changes, ...clients.added.map((pet) => added(pet, 'unknown'))]
  const changes = [...acknowledged, ...others.filter((change) => !known.has(change.name))]
  const violations = judge({ changes, readers: [{ name: 'a follower', events: follower.events }], feed, stored })
  return {
    label,
    begun,
    cursor: follower.cursor,
    events: follower.events.length,
    changes: writers.acknowledged,
    calls: writers.calls,
    /** Each has an event, as `eventKey` writes it. */
    acknowledged: acknowledged.flatMap(({ petId, version }) =>
      petId === undefined || version === undefined ? [] : [eventKey({ petId, version })],
    ),
    ...countsOf(violations),
    broken: [
      ...brokenRules(violations),
      ...(follower.failure === undefined ? [] : [`the follower failed: ${follower.failure}`]),
    ].map((sentence) => `${name}: ${sentence}`),
  }
}

function added({ id, name, at }: Clients['added'][number], result: Change['result']): Change {
  return { name: `pet.created ${name}`, result, petId: Number(id), version: 1, at }
}
