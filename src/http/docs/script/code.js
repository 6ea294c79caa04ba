// Completes base URLs, copies code, and shows samples in the language that the reader has chosen.

// A base URL that the service knows only as a path is where this page came from.
for (const part of document.querySelectorAll('[data-base]')) {
  if (part.textContent === '/v1') part.textContent = new URL('v1', location.href).href
}

const theme = localStorage.getItem('petstore.theme')
if (theme) document.documentElement.dataset.theme = theme

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]')
  if (!button) return
  const shown = [...button.closest('figure').querySelectorAll('pre, output')].find((each) => each.offsetParent)
  await navigator.clipboard.writeText(shown.textContent)
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2_000)
})

const CHOICE = 'petstore.docs.language'
const lists = [...document.querySelectorAll('[role="tablist"]')]

/** Shows this language in every sample that has it. */
function choose(language) {
  for (const list of lists) {
    const tabs = [...list.children]
    if (!tabs.some((tab) => tab.dataset.language === language)) continue
    for (const tab of tabs) {
      const selected = tab.dataset.language === language
      tab.setAttribute('aria-selected', String(selected))
      tab.tabIndex = selected ? 0 : -1
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !selected
    }
  }
  markScrollable()
}

/** Samples above change their height: what the reader looks at stays where it is. */
function chooseAt(tab) {
  const before = tab.getBoundingClientRect().top
  choose(tab.dataset.language)
  scrollBy(0, tab.getBoundingClientRect().top - before)
  localStorage.setItem(CHOICE, tab.dataset.language)
}

for (const list of lists) {
  list.addEventListener('click', ({ target }) => target.dataset.language && chooseAt(target))
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const tabs = [...list.children]
    const next = tabs.at((tabs.indexOf(event.target) + step) % tabs.length)
    chooseAt(next)
    next.focus()
  })
}

/** Code that does not fit can be scrolled with the keyboard. */
function markScrollable() {
  for (const pre of document.querySelectorAll('pre')) {
    if (pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0
    else pre.removeAttribute('tabindex')
  }
}

const chosen = localStorage.getItem(CHOICE)
if (chosen) choose(chosen)
new ResizeObserver(markScrollable).observe(document.querySelector('main'))
