import type { Document, OperationObject, Parameter, ResponseObject, SchemaObject } from '../openapi/types.ts'
import { html, type Markup, prose } from './html.ts'

/** The operations as the document describes them, each with a form to try it. */
export function reference(document: Document): Markup[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => section(document, method.toUpperCase(), path, operation)),
  )
}

function section(document: Document, method: string, path: string, operation: OperationObject) {
  const { operationId, summary, description, deprecated, parameters = [], requestBody, responses } = operation
  const body = requestBody && resolve(document, requestBody.content['application/json']?.schema ?? {})
  return html`
<section id="${operationId}"><h3>${summary} ${badge(deprecated ? 'deprecated' : operation['x-stability'])}</h3>
<p class="route"><span class="method">${method}</span> <code>/v1${path}</code></p>
<p>${prose(description)}</p>
${parameters.length > 0 ? html`<h4>Parameters</h4>${fieldTable(document, parameters.map(asField))}` : undefined}
${body ? html`<h4>Body</h4>${fieldTable(document, fieldsOf(body))}` : undefined}
<h4>Responses</h4>
${Object.entries(responses).map(([status, response]) => responseSection(document, status, response))}
${tryIt(method, path, operation)}
</section>`
}

function badge(text: string | undefined) {
  return text === undefined ? undefined : html`<span class="badge">${text}</span>`
}

interface Field {
  name: string
  required: boolean
  description: string
  schema: SchemaObject
  stability?: string | undefined
}

function asField({ name, required, description, schema, ...parameter }: Parameter): Field {
  return { name, required, description, schema, stability: parameter['x-stability'] }
}

function fieldsOf({ properties = {}, required = [] }: SchemaObject): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    description: schema.description ?? '',
    schema,
  }))
}

function fieldTable(document: Document, fields: Field[]) {
  const rows = fields.map(({ name, required, description, schema, stability }) => {
    const resolved = resolve(document, schema)
    return html`<tr><td><code>${name}</code>${required ? html` <small>required</small>` : undefined}${stability ? html` <small class="badge">${stability}</small>` : undefined}</td>
<td>${typeOf(document, resolved)}</td><td>${prose(description || (resolved.description ?? ''))}</td></tr>`
  })
  return html`<div class="wide"><table><thead><tr><th>name</th><th>type</th><th>meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function typeOf(document: Document, schema: SchemaObject): string {
  if (schema.enum) return schema.enum.map(String).join(' · ')
  if (schema.items)
    return `up to ${schema.maxItems} × ${typeOf(document, resolve(document, schema.items))}, comma-separated`
  const bounds = schema.maxLength
    ? `, ${schema.minLength}–${schema.maxLength} characters`
    : schema.maximum === undefined
      ? ''
      : `, ${schema.minimum}–${schema.maximum}`
  const fallback = schema.default === undefined ? '' : `, default ${schema.default}`
  return `${schema.format ?? [schema.type].flat().join(' or ')}${bounds}${fallback}`
}

function responseSection(document: Document, status: string, response: ResponseObject) {
  const examples = Object.values(response.content?.['application/json']?.examples ?? {})
  const headers = Object.entries(response.headers).map(([name, { $ref }]) => {
    const header = document.components.headers[$ref.split('/').at(-1) ?? '']
    return html`<li><code>${name}</code> ${prose(header?.description ?? '')}</li>`
  })
  return html`<details><summary><b class="status s${status.charAt(0)}">${status}</b> ${prose(response.description)}</summary>
<ul>${headers}</ul>${examples.map(({ value }) => html`<pre><code>${show(value)}</code></pre>`)}</details>`
}

function tryIt(method: string, path: string, { operationId, parameters = [], requestBody }: OperationObject) {
  const inputs = parameters.map(
    ({ name, in: place, schema, example }) => html`<label>${name}
<input name="${name}" data-in="${place}" placeholder="${place === 'path' ? '' : (schema.default ?? '')}" value="${place === 'path' ? String(example) : ''}" autocomplete="off"></label>`,
  )
  const [first] = Object.values(requestBody?.content['application/json']?.examples ?? {})
  return html`<form class="try" data-method="${method}" data-path="${path}" aria-label="Try ${operationId}">
<h4>Try it</h4>${inputs}${first ? html`<label>body<textarea name="body" rows="6" spellcheck="false">${show(first.value)}</textarea></label>` : undefined}
<button type="submit">Send</button><output></output></form>`
}

/** JSON for people, with every digit. */
function show(value: unknown) {
  return JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item),
    2,
  )
}

function resolve({ components }: Document, schema: SchemaObject): SchemaObject {
  return schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? schema) : schema
}
