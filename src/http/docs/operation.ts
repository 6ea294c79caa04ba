import { codeFigure, tabbed } from './code.ts'
import { printJson } from './exact-json.ts'
import type { Field } from './fields.ts'
import { html, inline, type Markup } from './html.ts'
import { anchor } from './markdown.ts'
import type { Body, Delivery, Header, OperationDoc } from './reference.ts'
import { callOf } from './samples/call.ts'
import { samplesOf } from './samples/languages.ts'
import { tryIt } from './try-it.ts'

/** An operation: its parameters and results on the left, samples on the right. */
export function operationSection(entry: OperationDoc, baseUrl: string) {
  const { id, summary, description, method, path, badge, parameters, body, success, errors } = entry
  return html`
<section id="${id}" class="operation split"><div class="text">
<h3>${summary}${badgeOf(badge)}${anchor(id, summary)}</h3>
<p class="route">${methodOf(method)} <code>/v1${path}</code></p>
<p>${inline(description)}</p>
${parameters.map(({ title, fields }) => html`${heading(entry, slug(title), title)}${fieldTable(id, fields)}`)}
${body ? html`${heading(entry, 'body', 'Body', html`${body.title}, <code>${body.type}</code>`)}${fieldTable(`${id}-body`, body.fields)}` : undefined}
${heading(entry, 'response', 'Response', html`${success.title}`)}
<p>${statusOf(success.status)} ${inline(success.description)}</p>
${headerTable(success.headers)}${success.fields ? fieldTable(`${id}-response`, success.fields) : undefined}
${heading(entry, 'errors', 'Errors')}
${errors.length > 0 ? errorTable(errors) : undefined}
<p class="soft">${errors.length > 0 ? 'And' : 'Only'} the <a href="#errors-errors-of-every-operation">errors of every operation</a>.</p>
</div><div class="side">
${tabbed(`${id}-code`, samplesOf(callOf(entry, baseUrl), baseUrl))}
${responseExamples(success.status, success.examples)}
${tryIt(entry)}
</div></section>`
}

/** A request that the service sends, and the responses that it expects. */
export function deliverySection(delivery: Delivery) {
  const { id, summary, description, headers, body, responses } = delivery
  return html`
<section id="${id}" class="operation split"><div class="text">
<h3>${summary}${anchor(id, summary)}</h3>
<p class="route">${methodOf('POST')} <code>your URL</code></p>
<p>${inline(description)}</p>
${heading(delivery, 'headers', 'Headers')}${fieldTable(id, headers)}
${heading(delivery, 'body', 'Body', html`${body.title}, <code>${body.type}</code>`)}${fieldTable(`${id}-body`, body.fields)}
${heading(delivery, 'response', 'Your response')}
<table><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${responses.map(
    ([status, meaning]) => html`<tr><th scope="row">${statusOf(status)}</th><td>${inline(meaning)}</td></tr>`,
  )}</tbody></table>
</div><div class="side">${exampleFigures(body, html`Body`)}</div></section>`
}

export function methodOf(method: string) {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

export function badgeOf(text: string | undefined) {
  return text === undefined ? undefined : html` <span class="badge ${text}">${text}</span>`
}

function statusOf(status: string | number) {
  return html`<b class="status s${String(status).charAt(0)}">${status}</b>`
}

function heading({ id, summary }: Pick<OperationDoc, 'id' | 'summary'>, part: string, title: string, more?: Markup) {
  return html`<h4 id="${id}-${part}">${title}${more ? html` <small>${more}</small>` : undefined}${anchor(`${id}-${part}`, `${title} of ${summary}`)}</h4>`
}

function slug(title: string) {
  return title.toLowerCase().replaceAll(' ', '-')
}

/** Two columns, which also fit a phone: the name, and its meaning. */
function fieldTable(section: string, fields: Field[]) {
  const rows = fields.map(
    ({ name, type, required, description, limits, values, badge }) => html`<tr id="${section}-${name}">
<th scope="row"><code>${name}</code>${badgeOf(badge)} <span class="type">${type}${required ? html`, <em>required</em>` : undefined}</span></th>
<td>${inline(description)}${values.length > 0 ? html` <span class="limits">One of ${codes(values)}.</span>` : undefined}${limits.length > 0 ? html` <span class="limits">${limits.join('; ')}</span>` : undefined}</td></tr>`,
  )
  return html`<table class="fields"><thead><tr><th scope="col">Name</th><th scope="col">Description</th></tr></thead><tbody>${rows}</tbody></table>`
}

function codes(values: string[]): Markup[] {
  return values.map((value, i) => html`${i === 0 ? '' : ', '}<code>${value}</code>`)
}

function headerTable(headers: Header[]) {
  if (headers.length === 0) return undefined
  const rows = headers.map(
    ({ name, description, badge }) =>
      html`<tr><th scope="row"><code>${name}</code>${badgeOf(badge)} <span class="type">header</span></th><td>${inline(description)}</td></tr>`,
  )
  return html`<table class="fields"><thead><tr><th scope="col">Header</th><th scope="col">Description</th></tr></thead><tbody>${rows}</tbody></table>`
}

function errorTable(errors: OperationDoc['errors']) {
  const rows = errors.map(
    ({ code, status, message }) =>
      html`<tr><th scope="row">${statusOf(status)} <a href="#errors-${code}"><code>${code}</code></a></th><td>${inline(message)}</td></tr>`,
  )
  return html`<table class="fields"><thead><tr><th scope="col">Code</th><th scope="col">Message, for example</th></tr></thead><tbody>${rows}</tbody></table>`
}

function responseExamples(status: string, examples: unknown[] | undefined) {
  if (!examples)
    return html`<figure class="code"><figcaption><span>${statusOf(status)} without a body</span></figcaption></figure>`
  return exampleFigures({ examples }, html`Response ${statusOf(status)}`)
}

/** The first one is open. */
function exampleFigures({ examples }: Pick<Body, 'examples'>, title: Markup) {
  const [first, ...others] = examples.map((value) => printJson(value))
  return html`${codeFigure('json', first ?? '', title)}${
    others.length > 0
      ? html`<details class="more"><summary>${others.length === 1 ? 'Another example' : `${others.length} more examples`}</summary>${others.map((code) => codeFigure('json', code, title))}</details>`
      : undefined
  }`
}
