import { groupOf } from '../clause.ts'
import type { Outcome } from '../run.ts'
import { detailOf } from './text.ts'

export interface Report {
  base: URL
  profile: string
  outcomes: Outcome[]
}

/** For whatever collects test results: a suite for each group. */
export function junitReport({ base, outcomes }: Report) {
  const suites = [...Map.groupBy(outcomes, ({ clause }) => groupOf(clause))].map(
    ([group, cases]) => `  <testsuite name="${group}" ${sums(cases)}>\n${cases.map(testCase).join('')}  </testsuite>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="petstore verify ${escapeMarkup(base.href)}" ${sums(outcomes)}>
${suites.join('')}</testsuites>
`
}

function sums(outcomes: Outcome[]) {
  const failures = outcomes.filter(({ failure }) => failure !== undefined).length
  return `tests="${outcomes.length}" failures="${failures}" time="${seconds(outcomes.reduce((sum, { ms }) => sum + ms, 0))}"`
}

function testCase({ clause, failure, ms }: Outcome) {
  const open = `    <testcase classname="${groupOf(clause)}" name="${escapeMarkup(`${clause.id}: ${clause.sentence}`)}" time="${seconds(ms)}"`
  if (!failure) return `${open}/>\n`
  const message = escapeMarkup(`expected ${failure.expected}`)
  return `${open}>\n      <failure message="${message}">${escapeMarkup(detailOf(failure))}</failure>\n    </testcase>\n`
}

function seconds(ms: number) {
  return (ms / 1_000).toFixed(3)
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for XML and HTML. What XML has no way to write is left out. */
export function escapeMarkup(text: string) {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\P{Cc}]|[\uFFFE\uFFFF]/gu, '�')
    .replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char)
}
