// Finds headings, fields, errors and events in this page. Nothing is sent.

const dialog = document.querySelector('.finder')
const input = dialog.querySelector('input')
const results = dialog.querySelector('ul')
const summary = dialog.querySelector('p')
const MOST = 30

/** What can be found, with the most important first. */
let entries

function index() {
  const textOf = (element) => {
    const copy = element.cloneNode(true)
    for (const extra of copy.querySelectorAll('.anchor, .badge, .type, .method, .limits')) extra.remove()
    return copy.textContent.trim()
  }
  const titleOf = (element) => textOf(element.closest('section')?.querySelector('h2, h3') ?? element)
  // Which table a row is in: of the body, or of the response.
  const tableOf = (row) => {
    let heading = row.closest('table')
    while (heading && heading.tagName !== 'H4') heading = heading.previousElementSibling
    return heading ? ` · ${heading.firstChild.textContent.trim().toLowerCase()}` : ''
  }
  const sections = [...document.querySelectorAll('main section')].map((section) => ({
    id: section.id,
    title: titleOf(section),
    place: section.classList.contains('operation') ? section.querySelector('.route').textContent : '',
    text: section.querySelector('.text, p')?.textContent ?? '',
  }))
  const parts = [...document.querySelectorAll('main h3[id], main h4[id], main tr[id]')].map((part) => ({
    id: part.id,
    title: textOf(part.querySelector('th') ?? part),
    place: titleOf(part) + (part.tagName === 'TR' ? tableOf(part) : ''),
    text: '',
  }))
  return [...sections, ...parts].map((entry) => ({ ...entry, words: entry.title.toLowerCase() }))
}

/** Lower is better. */
function rank({ words, place, text }, query) {
  if (words === query) return 0
  if (words.startsWith(query)) return 1
  if (words.includes(query)) return 2
  if (place.toLowerCase().includes(query)) return 3
  return text.toLowerCase().includes(query) ? 4 : undefined
}

function find() {
  entries ??= index()
  const query = input.value.trim().toLowerCase()
  const found = query
    ? entries
        .map((entry) => ({ entry, rank: rank(entry, query) }))
        .filter(({ rank: each }) => each !== undefined)
        .toSorted((a, b) => a.rank - b.rank)
        .slice(0, MOST)
    : []
  results.replaceChildren(...found.map(({ entry }, i) => option(entry, i)))
  summary.textContent = query && found.length === 0 ? `Nothing found for “${query}”.` : ''
  select(results.firstElementChild)
}

function option({ id, title, place }, i) {
  const item = document.createElement('li')
  item.id = `found-${i}`
  item.setAttribute('role', 'option')
  item.dataset.target = id
  const where = document.createElement('small')
  where.textContent = place
  item.append(title, where)
  return item
}

function select(item) {
  results.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false')
  item?.setAttribute('aria-selected', 'true')
  item?.scrollIntoView({ block: 'nearest' })
  if (item) input.setAttribute('aria-activedescendant', item.id)
  else input.removeAttribute('aria-activedescendant')
}

function go(item) {
  dialog.close()
  location.hash = item.dataset.target
  const target = document.getElementById(item.dataset.target)
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}

function open() {
  dialog.showModal()
  input.select()
  find()
}

document.querySelector('button.search').addEventListener('click', open)
input.addEventListener('input', find)
input.addEventListener('keydown', (event) => {
  const selected = results.querySelector('[aria-selected="true"]')
  const next = { ArrowDown: selected?.nextElementSibling, ArrowUp: selected?.previousElementSibling }[event.key]
  if (event.key.startsWith('Arrow') && next) select(next)
  else if (event.key === 'Enter' && selected) go(selected)
  else return
  event.preventDefault()
})
results.addEventListener('click', ({ target }) => {
  const item = target.closest('li')
  if (item) go(item)
})
dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input, textarea, select')
  const wanted = event.key === '/' ? !typing : event.key === 'k' && (event.ctrlKey || event.metaKey)
  if (!wanted || dialog.open) return
  event.preventDefault()
  open()
})
