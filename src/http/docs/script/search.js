// Finds headings, fields, errors and events in this page. Nothing is sent. `wordsOf` and `matcher` are those of ../matching.js.

const dialog = document.querySelector('.finder')
const input = dialog.querySelector('input')
const results = dialog.querySelector('ul')
const summary = dialog.querySelector('p')
const MAX_RESULTS = 30

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
  const main = document.querySelector('main')
  const sections = [...main.querySelectorAll('section')].map((section) => ({
    element: section,
    title: titleOf(section),
    place: section.classList.contains('operation') ? section.querySelector('.route').textContent : '',
  }))
  const parts = [...main.querySelectorAll('h3[id], h4[id], tr[id]')].map((part) => ({
    element: part,
    title: textOf(part.querySelector('th') ?? part),
    place: titleOf(part) + (part.tagName === 'TR' ? tableOf(part) : ''),
  }))
  const texts = textsIn(main)
  return [...sections, ...parts].map(({ element, title, place }) => {
    const text = [...new Set(wordsOf(texts.get(element) ?? ''))]
    return { id: element.id, title, place, words: { title: wordsOf(title), place: wordsOf(place), text } }
  })
}

/** All text, by the heading that it is below, and that of a row also by the row. Samples belong to their section. */
function textsIn(main) {
  const texts = new Map()
  const add = (element, text) => element && texts.set(element, `${texts.get(element) ?? ''} ${text}`)
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  let section
  let heading
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode
    if (parentElement.closest('.try')) continue
    const current = parentElement.closest('section')
    if (current !== section) {
      section = current
      heading = current
    }
    heading = parentElement.closest('h3[id], h4[id]') ?? heading
    add(parentElement.closest('.operation > .side') ? section : heading, data)
    add(parentElement.closest('tr[id]'), data)
  }
  return texts
}

function find() {
  entries ??= index()
  const query = input.value.trim()
  const costOf = matcher(query)
  const found = entries
    .map((entry) => ({ entry, cost: costOf(entry.words) }))
    .filter(({ cost }) => cost !== undefined)
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, MAX_RESULTS)
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
