import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { whenAndWhere } from './report.ts'
import type { Outcome } from './scenario.ts'

const ROOT = new URL('../', import.meta.url)
const IMAGES = new URL('docs/images/', ROOT)

export function pageOf(scenario: string) {
  return scenario === 'scale' ? 'docs/scaling.md' : 'docs/performance.md'
}

/** Puts the figures between the marks of their scenario on the page; the words around them are written by hand. */
export async function record(scenario: string, { setting, figures, plot }: Outcome) {
  const page = new URL(pageOf(scenario), ROOT)
  const text = await readFile(page, 'utf8')
  await writeFile(page, replaceBetweenMarks(text, scenario, `${whenAndWhere()}, ${setting}\n\n${figures}`))
  if (plot === undefined) return
  await mkdir(IMAGES, { recursive: true })
  await writeFile(new URL(`${scenario}.svg`, IMAGES), plot)
}

export function replaceBetweenMarks(text: string, name: string, content: string) {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)]
  if (start < 0 || end < start) throw new Error(`${pageOf(name)} needs the marks ${opening} and ${closing}`)
  return `${text.slice(0, start)}${opening}\n\n${content}\n\n${text.slice(end)}`
}
