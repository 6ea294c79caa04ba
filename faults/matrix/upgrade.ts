import { setTimeout as sleep } from 'node:timers/promises'
import { Receiver } from '../../bench/webhooks/receiver.ts'
import { createPetstore, PetstoreError } from '../../packages/client/src/index.ts'
import { compare, unfoundOf } from '../check.ts'
import { DeliverProcess } from '../deliver/process.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { eventKey } from '../feed/record.ts'
import { Buyers } from '../orders/buyers.ts'
import type { Failed } from '../orders/calls.ts'
import { brokenRules, countsOf, judge } from '../orders/judge.ts'
import { acknowledgedIn, type Span } from '../orders/record.ts'
import { readShop, type StoredOrder } from '../orders/stored.ts'
import { brokenBy, countsByCode } from '../promises.ts'
import { SERVICE_URL } from '../rig/balancer.ts'
import { createKey, petstoreOf } from '../rig/service.ts'
import { query } from '../stored.ts'
import { Clients } from '../upgrade/clients.ts'
import { Deployment } from '../upgrade/deployment.ts'
import { playSession } from '../upgrade/session.ts'
import { installed, released } from '../upgrade/versions.ts'
import { Webhook } from '../upgrade/webhook.ts'
import { waitForExpiry } from './orders.ts'

interface Size {
  pets: number
  processes: number
  /** How often it goes back and forth. */
  times: number
  perSecond: number
  /** Of the last release alone, and of this version alone. */
  aloneMs: number
  sessionMs: number
}

const WHOLE: Size = { pets: 1_000_000, processes: 3, times: 3, perSecond: 50, aloneMs: 30_000, sessionMs: 60_000 }
const QUICK: Size = { pets: 20_000, processes: 2, times: 1, perSecond: 30, aloneMs: 1_000, sessionMs: 2_500 }
/**
 * What a client gets from 1.0.0 for what that does not have, as docs/operations.md says: operations, and parameters, which it ignores, so that
 * pets come without the versions that `view=full` asks for.
 */
const MISSING = ['route_not_found', 'method_not_allowed', 'unexpected_answer']

export const upgrade: Fault = {
  name: 'upgrade',
  injected:
    'each process of 1.0.0 is replaced by this version as it is installed, then by 1.0.0 again, and by this version again, while clients read, add and buy pets and never retry',
  invariant:
    'none lost, none twice, all found by name; no order lost, no pet sold twice; each change has one event in the feed and at a webhook; no request fails but those that 1.0.0 does not have, with 404 or 405 while it serves',
  run: upgradeAndBack,
}

async function upgradeAndBack(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  const { site, say } = stage
  const { times: usual, ...size } = stage.quick ? QUICK : WHOLE
  const times = stage.times ?? usual
  say('installing 1.0.0 and this version …')
  const [old, present] = await Promise.all([released(site), installed(site)])
  say(`starting ${size.processes} processes of 1.0.0 …`)
  const deployment = await Deployment.start(stage, old, size.processes, resources)
  const { databaseUrl } = deployment
  await addPets(databaseUrl, size.pets)
  const owner = { DATABASE_URL: deployment.urlOf('owner') }
  const { key: oldKey } = JSON.parse(
    await petstoreOf(old.program, owner, 'keys', 'create', '--name', 'shop', '--json'),
  ) as { key: string }
  const label = `upgrade ${Date.now()}`
  const target = { baseUrl: `${SERVICE_URL}/v1`, label }
  const clients = new Clients({ ...target, key: oldKey, label: `${label} shop`, perSecond: size.perSecond })
  resources.defer(() => clients.stop())
  await sleep(size.aloneMs)

  say('upgrading …')
  const migrateSeconds = await deployment.migrate(present)
  const key = await createKey(owner.DATABASE_URL, present.program)
  await deployment.replace(present, deployment.services.slice(0, 1))
  const sale = { ...target, key, label: `buyers ${Date.now()}`, perSecond: size.perSecond, buyers: 16, retries: 0 }
  const buyers = await Buyers.start(sale)
  resources.defer(() => buyers.stop())
  const oldServes: Span[] = [{ begun: 0, at: await deployment.replace(present, deployment.services.slice(1)) }]

  const receiver = resources.use(await Receiver.start())
  const process = new DeliverProcess(site, 'deliver', deployment.urlOf('deliver'), receiver.certificate)
  resources.defer(() => process.end('SIGKILL'))
  const webhook = await Webhook.create({ ...target, key, databaseUrl, receiver, process })
  const results: { lost: number; twice: number; broken: string[] }[] = []
  const sessions: Awaited<ReturnType<typeof playSession>>[] = []
  const play = async (name: string) => {
    webhook.start(present.program)
    const options = { ...target, key, databaseUrl, clients, perSecond: size.perSecond, lastsMs: size.sessionMs }
    const session = await playSession({ ...options, name })
    say(`${name}: ${session.changes} changes, ${session.events} events, ${clients.added.length} pets added so far`)
    sessions.push(session)
    results.push(session)
    return session
  }
  /** Among the deliveries must be what was acknowledged in the session, and what was ordered since it began. */
  const endWebhook = async ({ label: name, acknowledged, begun }: (typeof sessions)[number]) => {
    const { orders } = await readShop(databaseUrl, sale.label)
    const placed = new Set(buyers.record.placed.filter((order) => order.begun >= begun).map(({ orderId }) => orderId))
    const bought = orders.filter(({ orderId }) => placed.has(orderId))
    const ended = await webhook.end([...acknowledged, ...bought.map(keyOf)])
    results.push({ ...ended, broken: ended.broken.map((sentence) => `the webhook, ${name}: ${sentence}`) })
  }

  let session = await play('upgraded')
  for (let round = 1; round <= times; round++) {
    say(`${round} of ${times}: back to 1.0.0 …`)
    const begun = performance.now()
    await deployment.replace(old)
    await endWebhook(session)
    await sleep(size.aloneMs)
    say(`${round} of ${times}: upgrading again …`)
    oldServes.push({ begun, at: await deployment.replace(present) })
    results.push({ lost: 0, twice: 0, broken: await expiredCursor(target.baseUrl, key, session.cursor) })
    await webhook.continue()
    session = await play(`upgraded again, ${round}`)
  }
  await Promise.all([clients.stop(), buyers.stop()])

  say('comparing …')
  await deployment.untilWorded()
  const overdue = await waitForExpiry({ databaseUrl })
  const compared = { databaseUrl, baseUrl: target.baseUrl, key }
  const verdict = await compare(compared, `${label} shop`, clients.added)
  for (const one of [...sessions, sale]) verdict.unfound.push(...(await unfoundOf(compared, one.label)))
  const violations = judge(buyers.record, await readShop(databaseUrl, sale.label))
  results.push({ ...countsOf(violations), broken: brokenRules(violations) })
  // Orders expired until now. Without processes no event is added while the webhook is judged, as after a rollback.
  await deployment.stop()
  await endWebhook(session)

  const all = [clients.calls, buyers.calls, buyers.reads, ...sessions.map(({ calls }) => calls)]
  const unknown = [...buyers.calls.failed, ...buyers.reads.failed].filter((one) => isUnknownTo(oldServes, one))
  const failed = all.flatMap((calls) => calls.failed).filter((one) => !unknown.includes(one))
  const sum = (count: (result: { lost: number; twice: number }) => number) =>
    results.reduce((total, result) => total + count(result), 0)
  return {
    times: size.processes * (1 + 2 * times),
    acked:
      clients.added.length +
      acknowledgedIn(buyers.record) +
      sessions.reduce((total, { changes }) => total + changes, 0),
    lost: verdict.lost.length + sum(({ lost }) => lost),
    twice: verdict.twice.length + sum(({ twice }) => twice),
    unfound: verdict.unfound.length,
    failed: failed.length,
    ...(failed.length > 0 ? { failedBy: countsByCode({ failed }) } : {}),
    requests: all.reduce((total, calls) => total + calls.acknowledged.length + calls.rejected + calls.failed.length, 0),
    unknownToOld: countsByCode({ failed: unknown }),
    pets: size.pets,
    migrateSeconds,
    walks: clients.walks,
    orders: buyers.record.placed.length,
    events: sessions.reduce((total, { events }) => total + events, 0),
    deliveries: webhook.deliveries,
    longestGapMs: Math.round(clients.calls.longestGapMs(clients.added[0]?.at ?? 0, clients.added.at(-1)?.at ?? 0)),
    broken: [
      ...brokenBy(verdict),
      ...results.flatMap(({ broken }) => broken),
      ...clients.wrong.slice(0, 3),
      ...overdue,
      ...failed.slice(0, 3).map(({ name, code }) => `"${name}" failed: ${code}`),
    ],
  }
}

async function addPets(databaseUrl: string, count: number) {
  const text = `insert into pets (name, category_id, status) select 'Pet ' || n, n % 1000, 'available' from generate_series(1, $1::int) n`
  await query(databaseUrl, text, [count])
  await query(databaseUrl, 'vacuum (analyze) pets')
}

/** Pets were added without events meanwhile: a follower must notice, and read all pets again. */
async function expiredCursor(baseUrl: string, key: string, cursor: string) {
  try {
    await createPetstore({ baseUrl, key, retries: 0 }).events.list().page(cursor)
    return ['a cursor of before the rollback is still valid']
  } catch (error) {
    return error instanceof PetstoreError && error.code === 'cursor_expired' ? [] : [String(error)]
  }
}

/** Whether a request failed for want of what 1.0.0 does not have, while one of its processes served. */
function isUnknownTo(oldServes: Span[], { code, begun, at }: Failed) {
  return MISSING.includes(code) && oldServes.some((span) => begun <= span.at && at >= span.begun)
}

function keyOf({ petId, version }: StoredOrder) {
  return eventKey({ petId: Number(petId), version: Number(version) })
}
