import { groupOf } from '../clause.ts'
import type { Outcome } from '../run.ts'
import { escapeMarkup, type Report } from './junit.ts'
import { STYLE } from './style.ts'

type Failed = Outcome & Required<Pick<Outcome, 'failure'>>

/** One page that needs nothing else: what failed first, then every clause by its group. */
export function htmlReport({ base, profile, outcomes }: Report) {
  const failed = outcomes.filter((outcome): outcome is Failed => outcome.failure !== undefined)
  const passed = outcomes.length - failed.length
  const title = failed.length === 0 ? 'Every clause holds' : `${failed.length} of ${outcomes.length} clauses broken`
  const groups = [...Map.groupBy(outcomes, ({ clause }) => groupOf(clause))]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} — petstore verify</title>
<style>${STYLE}</style>
<header class="${failed.length === 0 ? 'good' : 'bad'}">
  <p class="over">petstore verify</p>
  <h1>${title}</h1>
  <div class="bar" role="img" aria-label="${passed} passed, ${failed.length} failed"><i style="flex:${passed}"></i>${failed.length ? `<b style="flex:${failed.length}"></b>` : ''}</div>
  <dl>
    <div><dt>service</dt><dd>${escapeMarkup(base.href)}</dd></div>
    <div><dt>profile</dt><dd>${profile}</dd></div>
    <div><dt>passed</dt><dd>${passed}</dd></div>
    <div><dt>failed</dt><dd>${failed.length}</dd></div>
    <div><dt>when</dt><dd>${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC</dd></div>
  </dl>
</header>
<nav>${groups.map(chip).join('')}</nav>
<main>
${failed.length === 0 ? '' : `<section><h2>What failed</h2>${failed.map(card).join('')}</section>`}
${groups.map(group).join('')}
</main>
</html>
`
}

function chip([name, outcomes]: [string, Outcome[]]) {
  const failed = outcomes.filter(({ failure }) => failure).length
  return `<a href="#${name}"${failed ? ' class="bad"' : ''}>${name} <span>${outcomes.length - failed}/${outcomes.length}</span></a>`
}

function card({ clause, failure }: Failed) {
  const rows = [
    ['sent', failure.request],
    ['expected', failure.expected],
    ['got', failure.answer],
    ['repeat it', failure.curl],
  ] as const
  return `<article id="${escapeMarkup(clause.id)}"><h3>${sentence(clause.sentence)}</h3><p class="id">${escapeMarkup(clause.id)}</p>
${rows.map(([name, text]) => `<h4>${name}</h4><pre tabindex="0">${escapeMarkup(text)}</pre>`).join('\n')}
</article>`
}

function group([name, outcomes]: [string, Outcome[]]) {
  const rows = outcomes.map(({ clause, failure }) => {
    const id = escapeMarkup(clause.id)
    return failure
      ? `<li class="bad"><span>${sentence(clause.sentence)}</span><a class="id" href="#${id}">${id}</a></li>`
      : `<li><span>${sentence(clause.sentence)}</span><span class="id">${id}</span></li>`
  })
  return `<section id="${name}"><h2>${name}</h2><ul>${rows.join('')}</ul></section>`
}

/** A sentence as the papers write it, with code between backticks. */
function sentence(text: string) {
  return escapeMarkup(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
