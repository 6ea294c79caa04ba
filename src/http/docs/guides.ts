import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document } from '../openapi/types.ts'
import { ERRORS } from '../wire/error-codes.ts'
import type { Reference } from './reference.ts'

export interface Guide {
  id: string
  title: string
  /** Markdown, without the title. */
  text: string
}

// In the order in which readers need them. Each id is the name of a file, and of a section that others link to: it never changes.
const IDS = [
  'getting-started',
  'mistakes',
  'keys',
  'responses',
  'errors',
  'pagination',
  'idempotency',
  'int64',
  'limits',
  'versions',
  'selling',
  'events',
  'receiving',
  'agents',
  'get-pet',
  'changelog',
]

/** Reads the guides, which tell developers what they need besides the reference. */
export function readGuides(document: Document, { commonCodes, commonHeaders }: Reference, baseUrl: string): Guide[] {
  const errors = Object.entries(ERRORS).map(([code, entry]) => ({ code, ...entry }))
  const facts: Record<string, string> = {
    baseUrl,
    sunset: document.paths['/pets/{petId}']?.['get']?.['x-sunset'] ?? '',
    commonErrors: errorTable(errors.filter(({ code }) => commonCodes.has(code))),
    otherErrors: errorTable(errors.filter(({ code }) => !commonCodes.has(code))),
    commonHeaders: markdownTable(
      ['header', 'meaning'],
      commonHeaders.map(({ name, description, badge }) => [nameWith(badge, name), description]),
    ),
  }
  return IDS.map((id) => {
    const file = readFileSync(join(import.meta.dirname, 'guides', `${id}.md`), 'utf8')
    const [, title = '', text = ''] = /^# (.+)\n([\s\S]*)$/.exec(file) ?? []
    return { id, title, text: text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => facts[name] ?? '').trim() }
  })
}

function errorTable(errors: { code: string; status: number; means: string; todo: string }[]) {
  return markdownTable(
    ['code', 'status', 'what it means', 'what to do'],
    errors.map(({ code, status, means, todo }) => [`\`${code}\``, String(status), means, todo]),
  )
}

/** As a cell: the name, and whether it is beta. */
export function nameWith(badge: string | undefined, name: string) {
  return `\`${name}\`${badge === undefined ? '' : ` (${badge})`}`
}

export function markdownTable(head: string[], rows: string[][]) {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
