import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONSOLE_MUTANTS, type ConsoleMutant } from './console-mutants.ts'

const REPORT = 'docs/mutants.md'
const SECTION = '## Console'
const TEST_TIMEOUT_MS = '40000'

interface Outcome extends ConsoleMutant {
  /** The names of the tests that failed. */
  failed: string[]
}

/**
 * Breaks the console in one place at a time, and checks that its tests fail. Without names it runs all mutants and writes their section of
 * docs/mutants.md. Returns how many escaped.
 */
export async function runConsoleMutants(names: readonly string[]) {
  const chosen = CONSOLE_MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name))
  if (chosen.length < Math.max(1, names.length))
    throw new Error(`Name mutants out of: ${CONSOLE_MUTANTS.map(({ name }) => name).join(', ')}`)
  using folder = temporaryFolder()
  await requireHealthy(folder.path, chosen)
  const outcomes: Outcome[] = []
  for (const mutant of chosen) {
    const failed = await run(copyOf(folder.path, mutant.name, mutant), mutant.test, [mutant.names])
    outcomes.push({ ...mutant, failed })
    console.log(`${failed.length > 0 ? 'caught ' : 'ESCAPED'}  ${mutant.name.padEnd(26)} ${failed.join('; ')}`)
  }
  const escaped = outcomes.filter(({ failed }) => failed.length === 0).length
  if (names.length === 0) writeFileSync(REPORT, withSection(readFileSync(REPORT, 'utf8'), report(outcomes, escaped)))
  console.log(`\n${outcomes.length - escaped} passed, ${escaped} failed`)
  return escaped
}

/** What the other mutants report stays as it is. */
export function withSection(document: string, section: string) {
  return `${document.split(`\n${SECTION}\n`)[0]?.trimEnd()}\n\n${section}`
}

/** Without what it has about the console. */
export function consoleSection(document: string) {
  const section = document.split(`\n${SECTION}\n`)[1]
  return section === undefined ? '' : `\n${SECTION}\n${section}`
}

/** Tests that fail on the healthy console prove nothing by failing on a broken one. */
async function requireHealthy(folder: string, chosen: readonly ConsoleMutant[]) {
  const directory = copyOf(folder, 'healthy')
  for (const [test, mutants] of Map.groupBy(chosen, (mutant) => mutant.test)) {
    const failed = await run(
      directory,
      test,
      mutants.map(({ names }) => names),
    )
    if (failed.length > 0) throw new Error(`${test} fails on the healthy console: ${failed.join('; ')}`)
  }
}

function copyOf(folder: string, name: string, mutant?: ConsoleMutant) {
  const directory = join(folder, name)
  const isWanted = (path: string) => !/(?:^|\/)(?:node_modules|dist)$/.test(path)
  for (const part of ['src', 'migrations', 'packages', 'test', 'acceptance', 'package.json'])
    cpSync(part, join(directory, part), { recursive: true, filter: isWanted })
  symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'))
  if (mutant) breakIn(directory, mutant)
  return directory
}

function breakIn(directory: string, { name, file, edits }: ConsoleMutant) {
  const path = join(directory, file)
  let source = readFileSync(path, 'utf8')
  for (const [find, replace] of edits) {
    if (!source.includes(find)) throw new Error(`${name}: ${file} no longer contains ${find}`)
    source = source.replace(find, () => replace)
  }
  writeFileSync(path, source)
}

/** Returns the names of the tests that failed. Throws if none ran. */
async function run(cwd: string, file: string, names: readonly string[]) {
  const patterns = names.map((name) => `--test-name-pattern=${RegExp.escape(name)}`)
  const options = ['--test', '--test-reporter=tap', `--test-timeout=${TEST_TIMEOUT_MS}`]
  const setup = '--test-global-setup=test/support/global-setup.ts'
  const child = spawn(process.execPath, [...options, setup, ...patterns, file], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')
  const results = [...output.matchAll(/^ *(not )?ok \d+ - (.+)$/gm)].filter(([, , name = '']) =>
    names.some((part) => name.includes(part)),
  )
  if (results.length === 0) throw new Error(`No test of ${file} ran:\n${output}`)
  return results.filter(([, failed]) => failed !== undefined).map(([, , name = '']) => name)
}

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'petstore-mutants-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

function report(outcomes: readonly Outcome[], escaped: number) {
  const rows = outcomes.map(({ name, what, test, failed }) => {
    const names = failed.map((each) => `“${each}”`).join(', ')
    return `| ${name} | ${what} | \`${test}\`: ${names || 'none'} | ${failed.length > 0 ? 'yes' : '**no**'} |`
  })
  return `${SECTION}

\`npm run mutants -- --console\` breaks the console, or what the service does for it, in one place at a time, and runs the tests that must
fail then, in Chromium. Last run on ${new Date().toISOString().slice(0, 10)}: **${outcomes.length - escaped} of ${outcomes.length} caught**.

| mutant | what is broken | tests that failed | caught |
|---|---|---|---|
${rows.join('\n')}
`
}
