import { readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem } from 'node:os'
import { FAULTS } from './matrix/all.ts'
import { type Result, tableOf } from './report.ts'

const PAGE = new URL('../docs/reports/reliability.md', import.meta.url)
const MARKS = /(?<=<!-- matrix -->\n).*(?=<!-- \/matrix -->)/s

/** Puts the results of each fault into its row on the page. */
export async function record(results: Result[]) {
  const day = new Date().toISOString().slice(0, 10)
  const known = FAULTS.map(({ name }) => name)
  await writeFile(
    PAGE,
    withRows(await readFile(PAGE, 'utf8'), tableOf(results, '<br>'), { day, machine: thisMachine(), known }),
  )
}

export interface Occasion {
  day: string
  machine: string
  /** All faults in their order; rows of others are dropped. */
  known: string[]
}

/** The rows of other faults stay as they are, with their day: a hundred kills and a soak are rarely run at once. */
function withRows(page: string, table: string, { day, machine, known }: Occasion) {
  const written = MARKS.exec(page)?.[0]
  if (written === undefined)
    throw new Error('docs/reports/reliability.md has no <!-- matrix --> and <!-- /matrix --> around its table.')
  const [head = '', rule = '', ...rows] = table.split('\n')
  const kept = written.split('\n').filter((line) => line.startsWith('| '))
  const byName = new Map([...kept, ...rows.map((row) => `${row} ${day} |`)].map((row) => [row.split(' ')[1], row]))
  const all = [`${head} run on |`, `${rule} --- |`, ...known.flatMap((name) => byName.get(name) ?? [])].join('\n')
  return page.replace(MARKS, () => `\nOn ${machine}.\n\n${all}\n\n`)
}

/** Results mean nothing without it. */
function thisMachine() {
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} shared cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${memory} GiB, Linux ${release()}`
}
