import type { Outcome } from '../run.ts'
import { detailOf } from './text.ts'

export function jsonReport(outcomes: Outcome[]) {
  const failed = outcomes.filter(({ failure }) => failure !== undefined).length
  return `${JSON.stringify({
    total: outcomes.length,
    passed: outcomes.length - failed,
    failed,
    clauses: outcomes.map(({ clause: { id, profile, sentence }, failure }) => ({
      id,
      profile,
      sentence,
      passed: failure === undefined,
      ...(failure && { detail: detailOf(failure) }),
    })),
  })}\n`
}
