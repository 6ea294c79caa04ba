import type { Parameter } from '../openapi/types.ts'
import { printJson } from './exact-json.ts'
import { html } from './html.ts'
import type { OperationDoc } from './reference.ts'

/** A form that sends the request from the browser. The key is in its field and nowhere else. */
export function tryIt({ id, method, path, body, operation }: OperationDoc) {
  const { parameters = [] } = operation
  const example = body?.examples[0]
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method}" data-path="${path}"${body ? html` data-type="${body.type}"` : undefined} aria-label="Try ${id}">
<label>API key<input type="password" name="key" autocomplete="off" spellcheck="false" placeholder="petk_…"></label>
<p class="soft">For all forms of this page, until you leave it. It goes only to this service.</p>
${parameters.map(field)}${body ? html`<label>body<textarea name="body" rows="5" spellcheck="false">${printJson(example)}</textarea></label>` : undefined}
<button type="submit" class="primary">Send</button>
<div class="result" hidden></div></form></details>`
}

function field({ name, in: place, schema, required, example }: Parameter) {
  const label = html`${name}${required ? html` <em>required</em>` : undefined}`
  if (schema.enum) {
    const options = schema.enum.map((value) => html`<option>${value ?? 'null'}</option>`)
    return html`<label>${label}<select name="${name}" data-in="${place}"><option value="">${schema.default === undefined ? 'any' : `${schema.default} (default)`}</option>${options}</select></label>`
  }
  const numeric = schema.type === 'integer' ? html` inputmode="numeric"` : undefined
  return html`<label>${label}<input name="${name}" data-in="${place}"${numeric} placeholder="${schema.default ?? ''}" value="${required ? String(example) : ''}" autocomplete="off" spellcheck="false"></label>`
}
