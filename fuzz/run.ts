import fc from 'fast-check'
import { type Case, tryCase } from './cases.ts'
import { heavyRequest } from './generators/heavy.ts'
import { anyExpiry, anyRace } from './generators/races.ts'
import { anyRequest } from './generators/requests.ts'
import { anyStream, slowStream } from './generators/streams.ts'
import { anyStory, type Step, tryStory, violationOf } from './model.ts'
import { ModelClient } from './model-client.ts'
import { type Session, sendOne, type Violation } from './properties.ts'
import { fill, plainRequest } from './request.ts'
import { type Generated, generate, type Origin, shrink } from './shrink.ts'
import { tryTools } from './tools.ts'

/** What is kept of a finding: enough to try it again. */
export type Regression = { found: string } & ({ case: Case } | { story: Step[] })

export interface Finding {
  violation: Violation
  /** Missing where no single case reproduces it. */
  regression?: Regression
}

const CONCURRENCY = 32
const ROUND = 20_000
const STORIES_SHARE = 0.1
// What is sent alone is measured, which takes longer.
const ALONE_SHARE = 0.05
// Beyond the requests that were asked for.
const TOOLS_SHARE = 0.05
// Each of these takes seconds, so a short run has none.
const SLOW_PER_REQUEST = 1 / 1_000
const MAX_SLOW = 8
const MAX_FINDINGS = 5

const anyCase: fc.Arbitrary<Case> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ request: anyRequest }) },
  { weight: 2, arbitrary: fc.record({ stream: anyStream }) },
  { weight: 1, arbitrary: fc.record({ race: anyRace }) },
)

const heavyCase: fc.Arbitrary<Case> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ request: heavyRequest }) },
  { weight: 1, arbitrary: anyCase },
)
const slowCase: fc.Arbitrary<Case> = fc.oneof(fc.record({ stream: slowStream }), fc.record({ expiry: anyExpiry }))

/** Tries what was found before, then as many requests as asked for, in rounds; the first round that finds something is the last. */
export async function fuzz(session: Session, requests: number, seed: number, regressions: Regression[]) {
  const findings = await replay(session, regressions)
  const sources = {
    cases: sourceOf(anyCase, seed),
    slow: sourceOf(slowCase, seed),
    heavy: sourceOf(heavyCase, seed),
  }
  const stories = generate(anyStory, seed)
  while (findings.length === 0 && session.wire.requests < requests) {
    const end = Math.min(requests, session.wire.requests + ROUND)
    const storiesFrom = end - STORIES_SHARE * (end - session.wire.requests)
    findings.push(...(await tryCases(session, sources, storiesFrom)))
    findings.push(...(await tryStories(session, stories, end)))
  }
  if (findings.length === 0)
    findings.push(...(await tryTools(session, TOOLS_SHARE * requests, seed)).map((violation) => ({ violation })))
  await removeWebhooks(session)
  return findings
}

/** A store has room for few, and other clients may need it. */
async function removeWebhooks(session: Session) {
  for (const id of session.store.webhookIds)
    await sendOne(session, fill(plainRequest('DELETE', `/v1/webhooks/${id}`), session.store))
}

async function replay(session: Session, regressions: Regression[]) {
  const findings: Finding[] = []
  for (const regression of regressions) {
    const violation = await ('case' in regression
      ? tryCase(session, regression.case)
      : tryStory(session, regression.story))
    if (violation) findings.push({ violation })
  }
  return findings
}

interface Source {
  arbitrary: fc.Arbitrary<Case>
  generated: Generated<Case>
}

function sourceOf(arbitrary: fc.Arbitrary<Case>, seed: number): Source {
  return { arbitrary, generated: generate(arbitrary, seed) }
}

/** Many connections at a time, then one request at a time; then the collection and the feed must hold what was confirmed on them, and nothing else. */
async function tryCases(
  session: Session,
  { cases, slow, heavy }: Record<'cases' | 'slow' | 'heavy', Source>,
  end: number,
) {
  const { wire, store } = session
  const auditor = new ModelClient(session)
  const unsound = await violationOf(auditor, () => auditor.begin())
  if (unsound) return [{ violation: unsound }]
  const size = store.size

  const failed: (Origin & Pick<Source, 'arbitrary'> & { violation: Violation })[] = []
  const tryNext = async ({ arbitrary, generated }: Source) => {
    const { value, ...origin } = generated.next().value
    const violation = await tryCase(session, value)
    if (violation) failed.push({ ...origin, arbitrary, violation })
  }
  const aloneFrom = end - ALONE_SHARE * (end - wire.requests)
  const worker = async () => {
    while (wire.requests < aloneFrom && failed.length < MAX_FINDINGS) await tryNext(cases)
  }
  const slowOnes = Math.min(MAX_SLOW, Math.floor(SLOW_PER_REQUEST * (end - wire.requests)))
  await Promise.all([
    ...Array.from({ length: slowOnes }, () => tryNext(slow)),
    ...Array.from({ length: CONCURRENCY }, worker),
  ])
  while (wire.requests < end && failed.length < MAX_FINDINGS) await tryNext(heavy)

  const findings: Finding[] = []
  const kinds = new Map(failed.map((failure) => [kindOf(failure.violation), failure]))
  for (const { violation, arbitrary, ...origin } of kinds.values()) {
    const smallest = await shrink(arbitrary, origin, (given) => tryCase(session, given))
    findings.push(smallest ? keep(smallest.violation, { case: smallest.value }) : { violation })
  }
  for (const broken of wire.strays)
    findings.push({
      violation: { message: 'more than one response to a request arrived', sent: [{ requests: [], broken }] },
    })
  if (findings.length > 0) return findings
  auditor.adopt(store.idsSince(size))
  const audited = await violationOf(auditor, async () => {
    await auditor.list({ limit: 100, view: 'full' }, true)
    await auditor.feed(100, null)
  })
  return audited ? [{ violation: audited }] : []
}

async function tryStories(session: Session, stories: Generated<Step[]>, end: number) {
  const findings: Finding[] = []
  while (session.wire.requests < end && findings.length === 0) {
    const { value, ...origin } = stories.next().value
    const violation = await tryStory(session, value)
    if (!violation) continue
    const smallest = await shrink(anyStory, origin, (story) => tryStory(session, story))
    findings.push(smallest ? keep(smallest.violation, { story: smallest.value }) : { violation })
  }
  return findings
}

/** Of many with the same message, one is enough. */
function kindOf({ message }: Violation) {
  return message.replaceAll(/[0-9]+/g, '').slice(0, 40)
}

function keep(violation: Violation, what: { case: Case } | { story: Step[] }): Finding {
  return { violation, regression: { found: violation.message, ...what } }
}
