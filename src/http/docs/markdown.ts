import { codeFigure, tabbed } from './code.ts'
import { html, inline, type Markup } from './html.ts'

/** The id of a heading or a table row inside a section: `events-pet.created`. */
const anchorIn = (section: string, text: string) =>
  `${section}-${text
    .replaceAll('`', '')
    .toLowerCase()
    .replaceAll(/[^\w.]+/g, '-')}`

export interface Fence {
  language: string
  code: string
}

/**
 * Renders the Markdown of the guides: headings, paragraphs, lists, tables, notes and code. Text is on the left, and the code that follows
 * it on the right. Consecutive code in several languages becomes tabs.
 */
export function renderMarkdown(section: string, text: string): Markup[] {
  const rows: Markup[] = []
  let [left, right]: [Markup[], Fence[]] = [[], []]
  const close = () => {
    if (left.length + right.length > 0)
      rows.push(
        html`<div class="split"><div class="text">${left}</div><div class="side">${codeOf(`${section}-code-${rows.length}`, right)}</div></div>`,
      )
    left = []
    right = []
  }
  for (const block of blocksOf(text)) {
    if (typeof block !== 'string') {
      right.push(block)
      continue
    }
    if (right.length > 0 || block.startsWith('## ')) close()
    const wide = /^\|.*\|.*\|.*\|/.test(block)
    if (!wide) {
      left.push(renderBlock(section, block))
      continue
    }
    close()
    rows.push(renderBlock(section, block))
  }
  close()
  return rows
}

function codeOf(widget: string, fences: Fence[]): Markup | Markup[] {
  const distinct = new Set(fences.map(({ language }) => language))
  if (fences.length > 1 && distinct.size === fences.length) return tabbed(widget, fences)
  return fences.map(({ language, code }) => codeFigure(language, code))
}

const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm

/** The code of a guide. */
export function fencesOf(text: string) {
  return blocksOf(text).filter((block) => typeof block !== 'string')
}

/** Splits text into blocks at empty lines, which code may contain. */
function blocksOf(text: string): (string | Fence)[] {
  const blocks: (string | Fence)[] = []
  let end = 0
  const addText = (part: string) =>
    blocks.push(
      ...part
        .split(/\n{2,}/)
        .map((each) => each.trim())
        .filter(Boolean),
    )
  for (const { 0: whole, 1: language = '', 2: code = '', index } of text.matchAll(FENCE)) {
    addText(text.slice(end, index))
    blocks.push({ language, code: code.trimEnd() })
    end = index + whole.length
  }
  addText(text.slice(end))
  return blocks
}

function renderBlock(section: string, block: string): Markup {
  if (block.startsWith('## ')) return heading(section, block.slice(3))
  if (block.startsWith('|')) return table(section, block)
  if (block.startsWith('> ')) return html`<aside><p>${inline(joined(block.replaceAll(/^> ?/gm, '')))}</p></aside>`
  if (block.startsWith('- ')) return html`<ul>${items(block, /^- /m)}</ul>`
  if (block.startsWith('1. ')) return html`<ol>${items(block, /^\d+\. /m)}</ol>`
  return html`<p>${inline(joined(block))}</p>`
}

function heading(section: string, title: string) {
  const id = anchorIn(section, title)
  return html`<h3 id="${id}">${inline(title)}${anchor(id, title)}</h3>`
}

/** A link to itself, for a heading. */
export function anchor(id: string, title: string) {
  return html` <a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a>`
}

function items(block: string, marker: RegExp) {
  return block
    .split(marker)
    .filter(Boolean)
    .map((item) => html`<li>${inline(joined(item))}</li>`)
}

/** Rows that begin with code, such as an error, have an anchor each. */
function table(section: string, block: string) {
  const [head = [], , ...rows] = block.split('\n').map(cellsOf)
  const body = rows.map(([first = '', ...cells]) => {
    const id = /^`[^`]+`$/.test(first) ? anchorIn(section, first) : undefined
    const name = id === undefined ? inline(first) : html`<a href="#${id}">${inline(first)}</a>`
    return html`<tr${id === undefined ? undefined : html` id="${id}"`}><th scope="row">${name}</th>${cells.map((cell, i) => html`<td data-label="${head[i + 1]}">${inline(cell)}</td>`)}</tr>`
  })
  return html`<table><thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead><tbody>${body}</tbody></table>`
}

function cellsOf(line: string) {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}

function joined(text: string) {
  return text.trim().replaceAll(/\n\s*/g, ' ')
}
