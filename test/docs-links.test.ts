import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

// Every relative link and anchor in a Markdown file leads to something that git has.
const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean)
// The guides are parts of one page, /docs, and link to its headings.
const pages = tracked.filter((file) => file.endsWith('.md') && !file.startsWith('src/http/docs/guides/'))

const EXTERNAL = /^[a-z][a-z0-9+.-]*:/

function proseOf(markdown: string) {
  return markdown
    .replace(/^( *)(`{3,}).*?^ *\2 *$/gms, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ' '))
}

function linksIn(markdown: string) {
  const links = Array.from(
    proseOf(markdown).matchAll(/\]\(<?([^)>\s]+)>?(?: "[^"]*")?\)/g),
    ([, target = '']) => target,
  )
  return links.filter((target) => !EXTERNAL.test(target) && !target.startsWith('/'))
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsIn(markdown: string) {
  const seen = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of markdown.replace(/^( *)(`{3,}).*?^ *\2 *$/gms, '').matchAll(/^#{1,6} +(.*?) *$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<[^>]*>/g, '')
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return anchors
}

function fault(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)))
  if (!existsSync(target)) return `${page}: ${link}: there is no ${target}`
  const isTracked = tracked.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`))
  if (!isTracked) return `${page}: ${link}: git does not have ${target}`
  if (anchor === undefined || !target.endsWith('.md') || statSync(target).isDirectory()) return undefined
  if (anchorsIn(readFileSync(target, 'utf8')).has(anchor)) return undefined
  return `${page}: ${link}: ${target} has no such heading`
}

test('every relative link and anchor in the Markdown files leads somewhere', () => {
  assert.ok(pages.length > 40)
  const links = pages.flatMap((page) => linksIn(readFileSync(page, 'utf8')).map((link) => ({ page, link })))
  assert.ok(links.length > 300, `only ${links.length} links`)
  assert.deepEqual(
    links.flatMap(({ page, link }) => fault(page, link) ?? []),
    [],
  )
})

test('docs/README.md has a line for each page of docs', () => {
  const listed = linksIn(readFileSync('docs/README.md', 'utf8')).map((link) => `docs/${link}`)
  const missing = pages.filter((page) => /^docs\/(?:reports\/)?[^/]+\.md$/.test(page) && !listed.includes(page))
  assert.deepEqual(missing, ['docs/README.md'])
})

test('links and anchors are read as GitHub reads them', () => {
  assert.deepEqual(
    linksIn('[a](b.md#c) `[no](no.md)`\n```sh\n[no](no.md)\n```\n![x](y.svg) [web](https://a.example)'),
    ['b.md#c', 'y.svg'],
  )
  assert.deepEqual(
    anchorsIn('# What, now?\n\n```sh\n# no\n```\n\n## `a_b`: [c](d) – e\n\n## What, now?'),
    new Set(['what-now', 'a_b-c--e', 'what-now-1']),
  )
  assert.match(fault('README.md', 'docs/missing.md') ?? '', /there is no docs\/missing\.md/)
  assert.match(fault('README.md', 'docs/keys.md#missing') ?? '', /docs\/keys\.md has no such heading/)
})
