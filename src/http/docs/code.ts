import { highlight } from './highlight.ts'
import { html, Markup } from './html.ts'

interface Code {
  language: string
  code: string
}

const TITLES: Record<string, string> = {
  bash: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  go: 'Go',
  javascript: 'fetch',
  json: 'JSON',
  http: 'Headers',
}

const COPY = html`<button type="button" class="copy" data-copy>Copy</button>`

export function codeFigure(language: string, code: string, title: Markup | string = TITLES[language] ?? language) {
  return html`<figure class="code"><figcaption><span>${title}</span>${COPY}</figcaption>${pre(language, code)}</figure>`
}

/** Code in several languages. The reader chooses one for the whole page. */
export function tabbed(widget: string, codes: Code[]) {
  const tabs = codes.map(
    ({ language }, i) =>
      html`<button type="button" role="tab" id="${widget}-${language}" data-language="${language}" aria-controls="${widget}-${language}-code" aria-selected="${String(i === 0)}" tabindex="${i === 0 ? 0 : -1}">${TITLES[language]}</button>`,
  )
  const panels = codes.map(
    ({ language, code }, i) =>
      html`<div role="tabpanel" id="${widget}-${language}-code" aria-labelledby="${widget}-${language}"${i === 0 ? undefined : new Markup(' hidden')}>${pre(language, code)}</div>`,
  )
  return html`<figure class="code"><figcaption><span role="tablist" aria-label="Language">${tabs}</span>${COPY}</figcaption>${panels}</figure>`
}

// If the service knows its base URL only as a path, the browser completes it.
const PATH_ONLY = /(&quot;|'|`|&lt;)\/v1(?=[/?'"&])/g

function pre(language: string, code: string) {
  const marked = highlight(code, language).text.replaceAll(PATH_ONLY, '$1<span data-base>/v1</span>')
  return html`<pre><code>${new Markup(marked)}</code></pre>`
}
