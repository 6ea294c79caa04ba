// Marks the section that is being read, and opens the contents as a menu on a small screen.

const nav = document.querySelector('nav')
const links = new Map([...nav.querySelectorAll('a[href^="#"]')].map((link) => [link.hash.slice(1), link]))
const sections = [...document.querySelectorAll('main section')].filter(({ id }) => links.has(id))

function markCurrent() {
  const line = innerHeight / 4
  const current = sections.findLast((section) => section.getBoundingClientRect().top <= line)
  const link = current && links.get(current.id)
  const before = nav.querySelector('[aria-current]')
  if (link === (before ?? undefined)) return
  before?.removeAttribute('aria-current')
  if (!link) return
  link.setAttribute('aria-current', 'true')
  showLink(link)
}

function showLink(link) {
  const { top, bottom } = link.getBoundingClientRect()
  const box = nav.getBoundingClientRect()
  if (box.height === 0) return // a menu that is closed
  if (top < box.top || bottom > box.bottom) nav.scrollTop += top - box.top - box.height / 3
}

let waiting = false
addEventListener(
  'scroll',
  () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      markCurrent()
    })
  },
  { passive: true },
)
markCurrent()

const menu = document.querySelector('.menu')

function setMenu(open) {
  document.documentElement.classList.toggle('menu-open', open)
  menu.setAttribute('aria-expanded', String(open))
  menu.textContent = open ? 'Close' : 'Menu'
  const current = nav.querySelector('[aria-current]')
  if (open && current) showLink(current)
}

menu.addEventListener('click', () => setMenu(menu.getAttribute('aria-expanded') === 'false'))
nav.addEventListener('click', ({ target }) => target.closest('a') && setMenu(false))
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || menu.getAttribute('aria-expanded') === 'false') return
  setMenu(false)
  menu.focus()
})
matchMedia('(max-width: 56rem)').addEventListener('change', () => setMenu(false))
