import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { whenAndWhere } from './report.ts'
import type { Outcome } from './scenario.ts'

const ROOT = new URL('../', import.meta.url)
const IMAGES = new URL('docs/images/', ROOT)

const PAGES: Record<string, string> = {
  throughput: 'docs/reports/performance.md',
  selling: 'docs/reports/performance.md',
  'create-with-words': 'docs/reports/performance.md',
  'own-writes': 'docs/reports/performance.md',
  fairness: 'docs/reports/performance.md',
  memory: 'docs/reports/performance.md',
  import: 'docs/reports/performance.md',
  expiry: 'docs/reports/performance.md',
  observability: 'docs/reports/performance.md',
  churn: 'docs/reports/performance.md',
  feed: 'docs/reports/performance.md',
  webhooks: 'docs/reports/performance.md',
  sandbox: 'docs/reports/performance.md',
  scale: 'docs/reports/scaling.md',
  search: 'docs/reports/scaling.md',
  sales: 'docs/reports/scaling.md',
  size: 'docs/reports/scaling.md',
}

/** The page that shows the figures of a scenario, if any does. */
function pageOf(scenario: string) {
  return PAGES[scenario]
}

/** Replaces the figures between the marks of their scenario; the text around them is written by hand. */
export async function record(scenario: string, { setting, figures, plot }: Outcome) {
  const path = pageOf(scenario)
  if (path === undefined) return
  const page = new URL(path, ROOT)
  const text = await readFile(page, 'utf8')
  await writeFile(page, replaceBetweenMarks(text, scenario, `${whenAndWhere()}, ${setting}\n\n${figures}`))
  if (plot === undefined) return
  await mkdir(IMAGES, { recursive: true })
  await writeFile(new URL(`${scenario}.svg`, IMAGES), plot)
}

function replaceBetweenMarks(text: string, name: string, content: string) {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)]
  if (start < 0 || end < start) throw new Error(`the page needs the marks ${opening} and ${closing}`)
  return `${text.slice(0, start)}${opening}\n\n${content}\n\n${text.slice(end)}`
}
