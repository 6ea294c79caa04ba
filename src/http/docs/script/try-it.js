// Sends what the forms say, and shows the request and the response as they were, digit for digit. The key is only in its fields.

const base = new URL('v1', location.href).href
const keys = [...document.querySelectorAll('.try input[name="key"]')]
const SHOWN = [
  'link',
  'location',
  'etag',
  'allow',
  'accept-patch',
  'idempotent-replayed',
  'retry-after',
  'ratelimit',
  'deprecation',
  'sunset',
  'www-authenticate',
  'petstore-key-expires',
  'petstore-search-incomplete',
  'request-id',
]

for (const key of keys) {
  key.addEventListener('input', () => {
    for (const other of keys) other.value = key.value
  })
}

for (const form of document.querySelectorAll('.try form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    show(form, requestOf(form))
  })
}

function requestOf(form) {
  const query = new URLSearchParams()
  const headers = {}
  let path = form.dataset.path
  for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (value === '') continue
    else if (dataset.in === 'header') headers[name] = value
    else query.set(name, value)
  }
  const body = form.querySelector('textarea')?.value
  if (body !== undefined) headers['Content-Type'] = form.dataset.type
  return { method: form.dataset.method, url: `${base}${path}${query.size > 0 ? `?${query}` : ''}`, headers, body }
}

async function show(form, request) {
  const result = form.querySelector('.result')
  result.hidden = false
  const output = document.createElement('output')
  output.textContent = 'Sending …'
  result.replaceChildren(figure('Sent', pre(curlOf(request))), figure('Response', output))
  const begun = performance.now()
  try {
    const authorization = `Bearer ${form.elements.key.value}`
    const { method, url, headers, body } = request
    const response = await fetch(url, { method, headers: { ...headers, authorization }, body, cache: 'no-store' })
    const text = await response.text()
    const bytes = new TextEncoder().encode(text).length
    const facts = `${Math.round(performance.now() - begun)} ms, ${bytes.toLocaleString('en')} bytes`
    result.lastChild.querySelector('span').textContent = `Response, ${facts}`
    const shown = SHOWN.filter((name) => response.headers.has(name)).map(
      (name) => `${name}: ${response.headers.get(name)}`,
    )
    output.replaceChildren(
      [`${response.status} ${response.statusText}`, ...shown, '', ''].join('\n'),
      ...highlighted(text),
    )
    const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    if (next) result.append(nextButton(form, request, next))
  } catch (error) {
    output.textContent = `No response: ${error.message}`
  }
}

/** The link has the public URL of the service; the page calls the service that it came from. */
function nextButton(form, request, link) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Next page'
  const { pathname, search } = new URL(link, base)
  const url = base + pathname.slice(pathname.indexOf('/v1/') + 3) + search
  button.addEventListener('click', () => show(form, { ...request, url }))
  return button
}

/** The command that sends the same, without the key. */
function curlOf({ method, url, headers, body }) {
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    '-H "Authorization: Bearer $PETSTORE_KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

function figure(title, content) {
  const element = document.createElement('figure')
  element.className = 'code'
  const caption = document.createElement('figcaption')
  const text = document.createElement('span')
  text.textContent = title
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'copy'
  copy.dataset.copy = ''
  copy.textContent = 'Copy'
  caption.append(text, copy)
  element.append(caption, content)
  return element
}

function pre(text) {
  const element = document.createElement('pre')
  element.textContent = text
  return element
}

/** JSON over several lines, in colour. The text is only broken and moved, never parsed: a parser would round large numbers. */
function* highlighted(json) {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[[{]\s*[\]}]|[[\]{},]|[^\s"[\]{},]+/g)) {
    if (/^[[{]\s+[\]}]$/.test(token) || token === '[]' || token === '{}') yield token
    else if (token === '{' || token === '[') {
      depth++
      yield token + line()
    } else if (token === '}' || token === ']') {
      depth--
      yield line() + token
    } else if (token === ',') yield token + line()
    else yield span(token)
  }
}

function span(token) {
  const element = document.createElement('span')
  const isName = token.endsWith(':')
  element.className = isName
    ? 'property'
    : token.startsWith('"')
      ? 'string'
      : /^-?\d/.test(token)
        ? 'number'
        : 'keyword'
  element.textContent = isName ? `${token} ` : token
  return element
}
