import type { Outcome } from '../attempt.ts'
import { groupOf } from '../clause.ts'
import { escapeMarkup } from './junit.ts'
import { STYLE } from './style.ts'
import { type Cause, causesOf, describeCrash, type Report, type Tally, tallyOf } from './summary.ts'

/** One page that needs nothing else: what failed first, by its cause, then every clause by its group. */
export function htmlReport({ base, profile, outcomes, crashes }: Report) {
  const [spec, full, store] = [tallyOf(outcomes, 'spec'), tallyOf(outcomes, 'full'), tallyOf(outcomes, 'store')]
  const { total, passed, failed, notTried } = tallyOf(outcomes)
  const causes = causesOf(outcomes)
  const good = passed === total && crashes.length === 0
  const title = titleOf(spec, full.total > 0 ? full : store)
  const groups = [...Map.groupBy(outcomes, ({ clause }) => groupOf(clause))]
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} — petstore verify</title>
<style>${STYLE}</style>
<header class="${spec.total > 0 ? kindOf(spec) : good ? 'good' : 'bad'}">
  <p class="over">petstore verify</p>
  <h1>${title}</h1>
  <div class="bar" role="img" aria-label="${passed} passed, ${failed} failed, ${notTried} not tried"><i style="flex:${passed}"></i>${failed ? `<b style="flex:${failed}"></b>` : ''}${notTried ? `<s style="flex:${notTried}"></s>` : ''}</div>
  <dl>
    <div><dt>service</dt><dd>${escapeMarkup(base.href)}</dd></div>
    <div><dt>profile</dt><dd>${profile}</dd></div>
    ${count('interface', spec)}
    ${count('beyond it', full)}
    ${count('the store', store)}
    <div><dt>failed</dt><dd>${failed}</dd></div>
    <div><dt>not tried</dt><dd>${notTried}</dd></div>
    <div><dt>when</dt><dd>${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC</dd></div>
  </dl>
</header>
<nav>${groups.map(chip).join('')}</nav>
<main>
${crashes.length === 0 ? '' : `<section><h2>The server stopped</h2>${crashes.map((crash) => `<pre tabindex="0">${escapeMarkup(describeCrash(crash))}</pre>`).join('')}</section>`}
${causes.length === 0 ? '' : `<section><h2>What failed</h2>${causes.map(card).join('')}</section>`}
${groups.map(group).join('')}
</main>
</html>
`
}

function titleOf(spec: Tally, beyond: Tally) {
  const [name, { passed, total }] = spec.total > 0 ? ['the interface', spec] : ['what is beyond the interface', beyond]
  return passed === total ? `Every clause of ${name} passes` : `${passed} of ${total} clauses of ${name} pass`
}

function kindOf({ passed, total }: Tally) {
  return passed === total ? 'good' : 'bad'
}

function count(name: string, { passed, total }: Tally) {
  return total === 0 ? '' : `<div><dt>${name}</dt><dd>${passed} of ${total} pass</dd></div>`
}

function chip([name, outcomes]: [string, Outcome[]]) {
  const { passed, total, failed } = tallyOf(outcomes)
  return `<a href="#${name}"${failed ? ' class="bad"' : ''}>${name} <span>${passed}/${total}</span></a>`
}

function card({ seen, failed }: Cause) {
  const [{ clause, failure }, ...more] = failed
  const rows = [
    ['sent', failure.request],
    ['expected', failure.expected],
    ['response', failure.response],
    ['repeat', failure.curl],
  ] as const
  const title =
    more.length === 0
      ? sentence(clause.sentence)
      : sentence(`${failed.length} clauses expected ${failure.expected} and got ${seen}`)
  const ids = failed.map(({ clause: { id } }) => `<span id="${escapeMarkup(id)}">${escapeMarkup(id)}</span>`)
  return `<article><h3>${title}</h3><p class="id">${ids.join(', ')}</p>
${rows.map(([name, text]) => `<h4>${name}</h4><pre tabindex="0">${escapeMarkup(text)}</pre>`).join('\n')}
</article>`
}

function group([name, outcomes]: [string, Outcome[]]) {
  const rows = outcomes.map(({ clause, failure, notTried }) => {
    const id = escapeMarkup(clause.id)
    if (notTried !== undefined)
      return `<li class="untried" title="${escapeMarkup(notTried)}"><span>${sentence(clause.sentence)}</span><span class="id">not tried: ${id}</span></li>`
    return failure
      ? `<li class="bad"><span>${sentence(clause.sentence)}</span><a class="id" href="#${id}">${id}</a></li>`
      : `<li><span>${sentence(clause.sentence)}</span><span class="id">${id}</span></li>`
  })
  return `<section id="${name}"><h2>${name}</h2><ul>${rows.join('')}</ul></section>`
}

/** A sentence with code between backticks, as in the docs. */
function sentence(text: string) {
  return escapeMarkup(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
