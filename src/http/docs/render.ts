import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document } from '../openapi/types.ts'
import { parseExact } from './exact-json.ts'
import { readGuides } from './guides.ts'
import { renderPage } from './page.ts'
import { referenceOf } from './reference.ts'
import { renderIndexFile, renderMarkdownFile } from './text.ts'

export type Texts = Record<'page' | 'markdown' | 'index' | 'style' | 'script', string>

/** The settings that the documentation depends on. */
export interface Site {
  baseUrl: string
  hasConsole: boolean
  hasMcp: boolean
  /** The rules of the font that the console serves, whose URLs are those of the console; undefined if it serves none. */
  fontStyle?: string | undefined
}

// In this order: later rules win.
const STYLES = ['tokens', 'base', 'frame', 'page', 'code', 'forms', 'search', 'sizes']

/** All files of the documentation. Operations come from the published OpenAPI document, guides and styles from files. */
export function renderDocs(openapi: string, { baseUrl, hasConsole, hasMcp, fontStyle = '' }: Site): Texts {
  const document = parseExact(openapi) as Document
  const reference = referenceOf(document)
  const guides = readGuides(document, reference, baseUrl)
  const parts = { document, reference, guides, baseUrl, hasConsole, font: latinFontIn(fontStyle) }
  return {
    page: renderPage(parts),
    markdown: renderMarkdownFile(parts),
    index: renderIndexFile({ ...parts, hasMcp }, baseUrl.replace(/\/v1$/, '')),
    // Relative, as a proxy may serve all of this below a path.
    style:
      fontStyle.replaceAll('/console/assets/', '../console/assets/') +
      STYLES.map((name) => read(join('style', `${name}.css`))).join(''),
    script: readdirSync(join(import.meta.dirname, 'script'))
      .toSorted()
      .map(scriptBlock)
      .join(''),
  }
}

/** The file that nearly every page needs, to be loaded with the style that asks for it. */
function latinFontIn(fontStyle: string) {
  return /\/(console\/assets\/inter-latin-wght[\w.-]+)/.exec(fontStyle)?.[1]
}

/** Gives each file its own scope. A file that tests import is a module; here it becomes part of the file that uses it. */
function scriptBlock(name: string) {
  const used = name === 'search.js' ? read('matching.js').replaceAll(/^export /gm, '') : ''
  return `{\n${used}${read(join('script', name))}}\n`
}

function read(name: string) {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}
