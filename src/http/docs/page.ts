import type { Document } from '../openapi/types.ts'
import type { Guide } from './guides.ts'
import { html, type Markup } from './html.ts'
import { anchor, renderMarkdown } from './markdown.ts'
import { badgeOf, deliverySection, methodOf, operationSection } from './operation.ts'
import type { Group, Reference } from './reference.ts'

interface Parts {
  document: Document
  reference: Reference
  guides: Guide[]
  baseUrl: string
  hasConsole: boolean
  /** The URL of the Latin characters of the font, if there is one. */
  font: string | undefined
}

/** The whole documentation on one page, which refers only to its own style and script. */
export function renderPage(parts: Parts) {
  const { document, reference, guides, baseUrl, hasConsole, font } = parts
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Petstore — documentation</title>
<link rel="icon" href="data:,">
${font === undefined ? undefined : html`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>`}
<link rel="stylesheet" href="docs/style.css">
<link rel="alternate" type="text/markdown" href="docs.md">
<script src="docs/script.js" defer></script>
</head>
<body>
<a class="skip" href="#top">Skip to content</a>
<header class="top"><button type="button" class="menu" aria-expanded="false" aria-controls="contents">Menu</button>
<a class="brand" href="#top">Petstore <span>API</span></a>
<button type="button" class="search"><span>Search</span> <kbd>/</kbd></button>
${hasConsole ? html`<a class="console" href="console">Console</a>` : undefined}</header>
<nav id="contents" aria-label="Contents">${contents(parts)}</nav>
<main id="top" tabindex="-1">
${introduction(document, baseUrl)}
${guides.map(({ id, title, text }) => html`<section id="${id}"><h2>${title}${anchor(id, title)}</h2>${renderMarkdown(id, text)}</section>`)}
<h2 id="reference">API reference${anchor('reference', 'API reference')}</h2>
${reference.groups.map((group) => groupSection(group, reference, baseUrl))}
</main>
<dialog class="finder" aria-label="Search the documentation"><input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-autocomplete="list" aria-label="Search" placeholder="Operations, fields, errors, events" autocomplete="off" spellcheck="false"><ul id="found" role="listbox" aria-label="Results"></ul><p class="soft" role="status"></p></dialog>
</body>
</html>
`
  return page.text
}

function contents({ guides, reference }: Parts) {
  return html`<p>Guides</p>
<ul>${guides.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${reference.groups.map(
  (group) =>
    html`<p><a href="#api-${group.tag}">${titleOf(group)}</a></p><ul>${group.entries.map(
      ({ id, summary, method, badge }) =>
        html`<li><a href="#${id}">${methodOf(method)} <span class="name">${summary}</span>${badgeOf(badge)}</a></li>`,
    )}${deliveriesOf(group, reference).map(({ id, summary }) => html`<li><a href="#${id}">${methodOf('POST')} <span class="name">${summary}</span></a></li>`)}</ul>`,
)}
<p>Files</p>
<ul><li><a href="openapi.json" download>openapi.json</a></li><li><a href="docs.md">docs.md</a></li><li><a href="llms.txt">llms.txt</a></li></ul>`
}

/** What one asks first: which version, where, with what, and what changed. */
function introduction({ info }: Document, baseUrl: string): Markup {
  return html`<div class="intro"><h1>Petstore API</h1>
<p class="lead">${info.description.split('\n')[0]}</p>
<dl><div><dt>Base URL</dt><dd><code data-base>${baseUrl}</code></dd></div>
<div><dt>Version</dt><dd>${info.version} · <a href="#changelog">Changelog</a></dd></div>
<div><dt>OpenAPI</dt><dd><a href="openapi.json" download>Download openapi.json</a></dd></div>
<div><dt>For agents</dt><dd><a href="#agents">Tools</a> · <a href="docs.md">docs.md</a> · <a href="llms.txt">llms.txt</a></dd></div></dl>
<aside><p><strong>Try it with a test key.</strong> If this service has a sandbox, a <code>petk_test_</code> key works on pets of its own, and each response to it has <code>Petstore-Mode: test</code>; see <a href="#keys">Authentication</a>.</p></aside></div>`
}

function groupSection(group: Group, reference: Reference, baseUrl: string) {
  const id = `api-${group.tag}`
  return html`<section id="${id}" class="group"><h2>${titleOf(group)}${anchor(id, titleOf(group))}</h2><p>${group.description}</p></section>
${group.entries.map((entry) => operationSection(entry, baseUrl))}${deliveriesOf(group, reference).map(deliverySection)}`
}

function deliveriesOf({ tag }: Group, { deliveries }: Reference) {
  return tag === 'webhooks' ? deliveries : []
}

function titleOf({ tag }: Group) {
  return tag.charAt(0).toUpperCase() + tag.slice(1)
}
