import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MUTANTS } from './mutants/list.ts'
import type { Kill, Mutant } from './mutants/mutant.ts'
import { type Outcome, report } from './mutants/report.ts'
import { type Failed, type Service, Workshop } from './mutants/workshop.ts'

// Breaks the service or the console in one place at a time, and checks that the clauses or the tests that guard that place fail.
//   npm run mutants [-- NAME…]
//   npm run mutants -- --changed BASE      those whose file, or the check that must notice it, differs from the commit BASE
// Without arguments it runs all of them and writes docs/reports/mutants.md. Exits with 0 when none of those that ran escaped.

const REPORT = 'docs/reports/mutants.md'
/** More than there are cores: they mostly wait. */
const AT_ONCE = 4
const HEALTHY = { name: 'healthy', file: 'src/start.js', edits: [] }

const { values, positionals } = parseArgs({ options: { changed: { type: 'string' } }, allowPositionals: true })
const chosen = choose()
if (chosen.length === 0) console.log('No mutant breaks these files.')
else process.exitCode = (await runAll()) > 0 ? 1 : 0

function choose() {
  if (values.changed !== undefined) {
    const changed = execFileSync('git', ['diff', '--name-only', values.changed], { encoding: 'utf8' }).split('\n')
    const isOfClauses = changed.some((file) => file.startsWith('acceptance/'))
    return MUTANTS.filter(({ file, kill }) =>
      typeof kill === 'string'
        ? changed.includes(file) || isOfClauses
        : changed.includes(file) || changed.includes(kill.test),
    )
  }
  const unknown = positionals.filter((name) => !MUTANTS.some((mutant) => mutant.name === name))
  if (unknown.length > 0)
    throw new Error(
      `There is no mutant ${unknown.join(', ')}. There are: ${MUTANTS.map(({ name }) => name).join(', ')}`,
    )
  return MUTANTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
}

/** Returns how many escaped. */
async function runAll() {
  const started = performance.now()
  await using workshop = await Workshop.open()
  await using service = await workshop.start(HEALTHY)
  const healthy = healthyFailures(workshop, service)
  const outcomes = new Map<Mutant, Outcome>()
  await several(chosen, async (mutant) => {
    const outcome = await tryMutant(mutant, workshop, healthy)
    outcomes.set(mutant, outcome)
    const what = outcome.error !== undefined ? 'FAILED ' : outcome.failed.length > 0 ? 'caught ' : 'ESCAPED'
    console.log(`${what} ${mutant.name.padEnd(30)} ${outcome.error ?? outcome.failed.join('; ')}`)
  })
  const all = chosen.flatMap((mutant) => outcomes.get(mutant) ?? [])
  const escaped = all.filter(({ failed }) => failed.length === 0).length
  const seconds = (performance.now() - started) / 1_000
  if (chosen.length === MUTANTS.length) writeFileSync(REPORT, report(all, seconds))
  console.log(`\n${all.length - escaped} passed, ${escaped} failed in ${Math.round(seconds)} s`)
  return escaped
}

async function tryMutant(
  mutant: Mutant,
  workshop: Workshop,
  healthy: (kill: Kill) => Promise<Failed[]>,
): Promise<Outcome> {
  try {
    // What fails on the healthy service proves nothing by failing on a broken one.
    for (const { name, why } of await healthy(mutant.kill))
      throw new Error(`${name} fails on the healthy service: ${why}`)
    const failed = await failedOn(mutant, workshop)
    return { ...mutant, failed: failed.map(({ name }) => name) }
  } catch (error) {
    return { ...mutant, failed: [], error: String(error) }
  }
}

async function failedOn({ kill, ...broken }: Mutant, workshop: Workshop) {
  if (typeof kill !== 'string') return workshop.failedTests(broken, kill.test, [kill.names])
  await using service = await workshop.start(broken)
  return await service.failedClauses(kill)
}

/** Each clause is tried once, and the tests of a file together. */
function healthyFailures(workshop: Workshop, service: Service) {
  const tried = new Map<string, Promise<Failed[]>>()
  return (kill: Kill) => {
    if (typeof kill === 'string') return tried.getOrInsertComputed(kill, () => service.failedClauses(kill))
    const names = chosen.flatMap((mutant) =>
      typeof mutant.kill !== 'string' && mutant.kill.test === kill.test ? [mutant.kill.names] : [],
    )
    const name = `healthy-${kill.test.replaceAll('/', '-')}`
    return tried.getOrInsertComputed(kill.test, () => workshop.failedTests({ ...HEALTHY, name }, kill.test, names))
  }
}

async function several<T>(items: readonly T[], run: (item: T) => Promise<void>) {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await run(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
