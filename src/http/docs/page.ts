import type { Document } from '../openapi/types.ts'
import { GUIDES } from './guides.ts'
import { html } from './html.ts'
import { reference } from './reference.ts'

/** The whole documentation as one page. It refers to nothing but its own style and script. */
export function documentationPage(document: Document, baseUrl: string) {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Petstore — documentation</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/style.css">
<script src="docs/script.js" defer></script>
</head>
<body>
<nav aria-label="Contents"><a class="brand" href="#top">Petstore</a>
<ul>${GUIDES.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
<p>Operations</p>
<ul>${operations.map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}</ul>
<p><a href="openapi.json">openapi.json</a></p></nav>
<main id="top">
<h1>Petstore</h1>
<p class="lead">An API for the pets of a store: list, add, change and sell them.</p>
${GUIDES.map(({ id, title, body }) => html`<section id="${id}"><h2>${title}</h2>${body(baseUrl, document)}</section>`)}
<h2>Operations</h2>
<form class="key"><label>Your API key, for the forms below. It leaves this page only in your requests.
<input type="password" name="key" autocomplete="off" placeholder="petk_…"></label></form>
${reference(document)}
</main>
</body>
</html>
`
  return page.text
}
