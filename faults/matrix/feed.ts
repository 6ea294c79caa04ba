import { setTimeout as sleep } from 'node:timers/promises'
import { unfoundOf } from '../check.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { brokenRules, countsOf, judge } from '../feed/judge.ts'
import { Reader, readFeed } from '../feed/reader.ts'
import { type Change, eventKey, type SeenEvent } from '../feed/record.ts'
import { sequencerFreeze, sequencerKill } from '../feed/sequencer.ts'
import { Transactions } from '../feed/transactions.ts'
import { Writers } from '../feed/writers.ts'
import { brokenRejections, brokenSearches, countsByCode } from '../promises.ts'
import { until } from '../rig/until.ts'
import { query, storedEvents } from '../stored.ts'
import { type Injection, percentile, playRound } from '../under-load.ts'
import { freeze } from './freeze.ts'
import { replicationCut } from './partition.ts'
import { powerOff } from './power-off.ts'
import { primaryKill } from './primary-kill.ts'
import { serviceKill } from './services.ts'
import { switchover } from './switchover.ts'

/** Each in turn. The first is the one that loses what no standby has. */
const INJECTIONS = [
  replicationCut,
  sequencerKill,
  primaryKill,
  sequencerFreeze,
  switchover,
  serviceKill,
  freeze,
  powerOff,
]
const INJECTIONS_QUICK = [sequencerKill, primaryKill, switchover]
const [TIMES, EVENTS] = [24, 1_000_000]
const EVENTS_QUICK = 5_000
/** One that waits for each event, one that takes them in small pages, and one that asks every now and then. */
const READERS = [
  { name: 'a reader that waits', limit: 100, waitSeconds: 9 },
  { name: 'a reader of small pages', limit: 61, waitSeconds: 1 },
  { name: 'a reader that asks again', limit: 100, waitSeconds: 0 },
]
const READ_WITHIN_MS = 60_000
/** The one of small pages may be far behind. */
const CAUGHT_UP_WITHIN_MS = 600_000
const SAY_EVERY_MS = 10_000

/**
 * A sequencer that takes the transactions after its last one, as a naive reader does: those that were in progress then are never
 * seen. The stored snapshot says that there were none.
 */
const SKIP_IN_PROGRESS = `
  create function skip_in_progress() returns trigger language plpgsql as $$
  begin
    new.snapshot := concat(pg_snapshot_xmax(new.snapshot), ':', pg_snapshot_xmax(new.snapshot), ':')::pg_snapshot;
    return new;
  end $$;
  create trigger skip_in_progress before insert on feed_pages for each row execute function skip_in_progress()`

export const feed: Fault = {
  name: 'feed',
  injected:
    'kills and freezes of the sequencer and of the primary, power-offs and switchovers in turn, while 48 writers change pets, 24 hold transactions open or roll them back, and 3 readers follow the feed',
  invariant:
    'each acknowledged change has one event for every reader, numbers are dense, versions in order, and what was read never changes; each pet is found by the name that it has',
  quick: true,
  run: readUnderFaults,
}

async function readUnderFaults(stage: Stage): Promise<Outcome> {
  const rig = await stage.rig()
  const injections = stage.quick ? INJECTIONS_QUICK : INJECTIONS
  const times = stage.times ?? (stage.quick ? injections.length : TIMES)
  const least = stage.times !== undefined ? 0 : stage.quick ? EVENTS_QUICK : EVENTS
  const label = `feed ${Date.now()}`
  const target = { baseUrl: rig.baseUrl, key: rig.key, label }
  const known = new Map<string, SeenEvent>()
  if (stage.skipsEvents) await query(rig.databaseUrl, SKIP_IN_PROGRESS)
  const readers = await Promise.all(READERS.map((reader) => Reader.start({ ...target, ...reader }, known)))
  const writers = await Writers.start(target)
  const transactions = new Transactions(rig.databaseUrl, label)
  const { calls } = writers
  const [outages, broken]: [number[], string[]] = [[], []]
  for (let number = 1; number <= times; number++) {
    const injection = injections[(number - 1) % injections.length] as Injection
    const broke = (sentence: string) => broken.push(`round ${number}, ${injection.name}: ${sentence}`)
    const played = await playRound(rig, calls, injection, { number, others: undefined, broke })
    if (played === undefined) break
    outages.push(played.outageMs)
    stage.say(`${number} of ${times}, ${injection.name}: ${played.summary}, ${writers.acknowledged} changes so far`)
  }
  for (let saidAt = 0; broken.length === 0 && writers.acknowledged < least; await sleep(100)) {
    if (performance.now() - saidAt < SAY_EVERY_MS) continue
    saidAt = performance.now()
    stage.say(`${writers.acknowledged} of ${least} changes`)
  }
  await Promise.all([writers.stop(), transactions.stop()])
  const changes = [...writers.changes, ...transactions.changes]

  const stored = await until('the events can be read', READ_WITHIN_MS, () => storedEvents(rig.databaseUrl, label))
  const last = await readAll(stored, () => readFeed({ ...target, name: '', limit: 100, waitSeconds: 0 }, known))
  const late = await caughtUp(readers, last.at(-1)?.sequence ?? 0)
  await Promise.all(readers.map((reader) => reader.stop()))
  const violations = judge({ changes, readers: readers.map(({ log }) => log), feed: last, stored })
  const unfound = await unfoundOf(rig, label)
  const { failed } = calls
  return {
    times: outages.length,
    acked: writers.acknowledged,
    ...countsOf(violations),
    unfound: unfound.length,
    failed: failed.length,
    ...(failed.length > 0 ? { failedBy: countsByCode({ failed }) } : {}),
    outageMs: { p50: percentile(outages, 0.5), max: percentile(outages, 1) },
    events: stored.length,
    moved: violations.moved.length,
    rejected: calls.rejected,
    visibleAfterMs: visibleAfter(changes, readers[0]),
    broken: [
      ...brokenRules(violations),
      ...brokenSearches(unfound),
      ...readers.flatMap(({ log, failure }) => (failure === undefined ? [] : [`${log.name} failed: ${failure}`])),
      ...late,
      ...broken,
      ...brokenRejections({ failed, withoutRetryAfter: () => writers.withoutRetryAfter }),
    ],
  }
}

/** The feed, as soon as all events are in it; or as it is, if some never come. */
async function readAll(stored: string[], read: () => Promise<SeenEvent[]>) {
  let feedAtEnd: SeenEvent[] = []
  const isComplete = async () => {
    feedAtEnd = await read()
    const listed = new Set(feedAtEnd.map(eventKey))
    return stored.every((key) => listed.has(key))
  }
  await until('all events are in the feed', READ_WITHIN_MS / 6, isComplete).catch(() => undefined)
  return feedAtEnd
}

async function caughtUp(readers: Reader[], last: number) {
  try {
    await until('every reader has read the feed to its end', CAUGHT_UP_WITHIN_MS, async () =>
      readers.every((reader) => reader.failure !== undefined || reader.last >= last),
    )
    return []
  } catch (error) {
    return [String(error)]
  }
}

/** From the response to the reader; zero where the reader was faster. Outages count too. */
function visibleAfter(changes: Change[], reader: Reader | undefined) {
  const acknowledged = new Map(changes.map(({ name, at }) => [name, at]))
  const waits = (reader?.log.events ?? []).flatMap(({ change = '' }, i) => {
    const at = acknowledged.get(change)
    return at === undefined ? [] : [Math.max(0, (reader?.arrivals[i] ?? 0) - at)]
  })
  return { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99), max: percentile(waits, 1) }
}
