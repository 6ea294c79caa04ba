import { causesOf, type Report, tallyOf } from './summary.ts'
import { detailOf } from './text.ts'

export function jsonReport({ outcomes, crashes }: Report) {
  return `${JSON.stringify({
    ...tallyOf(outcomes),
    interface: tallyOf(outcomes, 'spec'),
    beyond: tallyOf(outcomes, 'full'),
    store: tallyOf(outcomes, 'store'),
    causes: causesOf(outcomes).map(({ expected, seen, failed }) => ({
      expected,
      seen,
      clauses: failed.map(({ clause }) => clause.id),
    })),
    crashes: crashes.map(({ inFlight, culprit, back }) => ({
      back,
      inFlight: inFlight.map(({ curl }) => curl),
      ...(culprit && { culprit: { clause: culprit.clause.id, requests: culprit.requests.map(({ curl }) => curl) } }),
    })),
    clauses: outcomes.map(({ clause: { id, profile, sentence }, failure, notTried }) => ({
      id,
      profile,
      sentence,
      passed: failure === undefined && notTried === undefined,
      ...(failure && { detail: detailOf(failure) }),
      ...(notTried !== undefined && { notTried }),
    })),
  })}\n`
}
