import { styleText } from 'node:util'
import type { Failure, Outcome } from '../run.ts'

/** What failed, each with what was sent, expected and answered, and how to repeat it; then the sum. */
export function textReport(outcomes: Outcome[]) {
  const failed = outcomes.flatMap(({ clause, failure }) => (failure ? [{ clause, failure }] : []))
  const blocks = failed.map(
    ({ clause, failure }) =>
      `${styleText('red', `✗ ${clause.id}`)}\n  ${clause.sentence}\n${indent(detailOf(failure), '  ')}\n`,
  )
  const sum = `${outcomes.length - failed.length} passed, ${failed.length} failed`
  return [...blocks, `${styleText(failed.length === 0 ? 'green' : 'red', sum)}\n`].join('\n')
}

/** A failure in four rows. */
export function detailOf({ request, expected, answer, curl }: Failure) {
  const rows = [
    ['request', request],
    ['expected', expected],
    ['answer', answer],
    ['repeat', curl],
  ] as const
  return rows.map(([name, text]) => indent(text, ' '.repeat(10)).replace(/^ {10}/, name.padEnd(10))).join('\n')
}

function indent(text: string, by: string) {
  return text.replaceAll(/^(?=.)/gm, by)
}
