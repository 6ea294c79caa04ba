import type { Outcome } from '../attempt.ts'
import { groupOf } from '../clause.ts'
import type { Crash } from '../run.ts'
import { causesOf, describeCrash, type Report, tallyOf, verdictOf } from './summary.ts'
import { detailOf } from './text.ts'

/** For programs that collect test results: a suite for each group, one for crashes, and what they amount to. */
export function junitReport({ base, outcomes, crashes }: Report) {
  const suites = [...Map.groupBy(outcomes, ({ clause }) => groupOf(clause))].map(
    ([group, cases]) => `  <testsuite name="${group}" ${sums(cases)}>\n${cases.map(testCase).join('')}  </testsuite>\n`,
  )
  const causes = causesOf(outcomes).map(
    ({ expected, seen, failed }) =>
      `expected ${expected}, got ${seen}: ${failed.map(({ clause }) => clause.id).join(', ')}`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="petstore verify ${escapeMarkup(base.href)}" ${sums(outcomes)} errors="${crashes.length}">
${suites.join('')}${crashSuite(crashes)}  <testsuite name="summary" tests="0">
    <system-out>${escapeMarkup([verdictOf(outcomes), ...causes].join('\n'))}</system-out>
  </testsuite>
</testsuites>
`
}

function crashSuite(crashes: Crash[]) {
  if (crashes.length === 0) return ''
  const cases = crashes.map(
    (crash) =>
      `    <testcase classname="crashes" name="the server keeps running">\n      <error message="the server stopped">${escapeMarkup(describeCrash(crash))}</error>\n    </testcase>\n`,
  )
  return `  <testsuite name="crashes" tests="${crashes.length}" errors="${crashes.length}">\n${cases.join('')}  </testsuite>\n`
}

function sums(outcomes: Outcome[]) {
  const { total, failed, notTried } = tallyOf(outcomes)
  return `tests="${total}" failures="${failed}" skipped="${notTried}" time="${seconds(outcomes.reduce((sum, { ms }) => sum + ms, 0))}"`
}

function testCase({ clause, failure, notTried, ms }: Outcome) {
  const open = `    <testcase classname="${groupOf(clause)}" name="${escapeMarkup(`${clause.id}: ${clause.sentence}`)}" time="${seconds(ms)}"`
  if (notTried !== undefined) return `${open}>\n      <skipped message="${escapeMarkup(notTried)}"/>\n    </testcase>\n`
  if (!failure) return `${open}/>\n`
  const message = escapeMarkup(`expected ${failure.expected}, got ${failure.seen}`)
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
