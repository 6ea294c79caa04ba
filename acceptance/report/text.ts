import { styleText } from 'node:util'
import type { Failure } from '../attempt.ts'
import { type Cause, causesOf, describeCrash, type Report, tallyOf, verdictOf } from './summary.ts'

// An implementation of the interface alone fails most of the rest, and needs only a few examples of it.
const MAX_BEYOND = 5
const MAX_IDS = 24
const WIDTH = 110

/** Each cause of failures with the clauses, one request and a command that repeats it; the crashes; the verdict last. */
export function textReport({ outcomes, crashes }: Report) {
  const causes = causesOf(outcomes)
  const [own, beyond] = [
    causes.filter(({ profile }) => profile === 'spec'),
    causes.filter(({ profile }) => profile !== 'spec'),
  ]
  const left = beyond.slice(MAX_BEYOND)
  const blocks = [...own, ...beyond.slice(0, MAX_BEYOND)].map(block)
  if (left.length > 0)
    blocks.push(
      `… and ${left.length} more causes beyond the interface (${left.flatMap(({ failed }) => failed).length} clauses): --html or --json shows all of them.\n`,
    )
  blocks.push(...crashes.map((crash) => styleText('red', describeCrash(crash))))
  const [all, spec] = [tallyOf(outcomes), tallyOf(outcomes, 'spec')]
  if (all.failed > 0 && spec.failed === 0 && spec.total > 0)
    blocks.push('What is beyond the interface is open to every implementation; --profile spec leaves it out.\n')
  const good = crashes.length === 0 && all.passed === all.total
  return [...blocks, `${styleText(good ? 'green' : 'red', verdictOf(outcomes))}\n`].join('\n')
}

function block({ expected, seen, failed }: Cause) {
  const [{ clause, failure }] = failed
  const detail = indent(detailOf(failure), '  ')
  if (failed.length === 1) return `${styleText('red', `✗ ${clause.id}`)}\n  ${clause.sentence}\n${detail}\n`
  const title = `✗ ${failed.length} clauses expected ${expected} and got ${firstLine(seen)}`
  const ids = failed.slice(0, MAX_IDS).map(({ clause: { id } }) => id)
  if (failed.length > MAX_IDS) ids.push(`and ${failed.length - MAX_IDS} more`)
  return `${styleText('red', title)}\n${indent(wrap(ids), '  ')}\n${detail}\n`
}

/** A failure in four rows. */
export function detailOf({ request, expected, response, curl }: Failure) {
  const rows = [
    ['request', request],
    ['expected', expected],
    ['response', response],
    ['repeat', curl],
  ] as const
  return rows.map(([name, text]) => indent(text, ' '.repeat(10)).replace(/^ {10}/, name.padEnd(10))).join('\n')
}

function firstLine(text: string) {
  return text.split('\n', 1)[0] ?? ''
}

function wrap(words: string[]) {
  const lines = ['']
  for (const word of words) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line}  ${word}`
  }
  return lines.join('\n')
}

function indent(text: string, by: string) {
  return text.replaceAll(/^(?=.)/gm, by)
}
