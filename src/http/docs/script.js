// Copies code, and sends what the forms say. The key stays in its field; answers are shown as they came, digit for digit.

// An address that the service knows only as a path is where this page came from.
const base = new URL('v1', location.href).href
for (const code of document.querySelectorAll('figure code'))
  code.textContent = code.textContent.replaceAll(/(["'<])\/v1(?![\w])/g, `$1${base}`)

const keyField = document.querySelector('.key input')
document.querySelector('.key').addEventListener('submit', (event) => event.preventDefault())

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent)
    button.textContent = 'Copied'
  })
}

for (const form of document.querySelectorAll('form.try')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const output = form.querySelector('output')
    output.textContent = 'Sending …'
    output.textContent = await send(form).catch((error) => `No response: ${error.message}`)
  })
}

async function send(form) {
  const query = new URLSearchParams()
  const sent = {}
  let path = form.dataset.path
  for (const field of form.querySelectorAll('input')) {
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(field.value))
    else if (field.dataset.in === 'header' && field.value !== '') sent[field.name] = field.value
    else if (field.value !== '') query.set(field.name, field.value)
  }
  const body = form.querySelector('textarea')?.value
  const headers = {
    ...sent,
    authorization: `Bearer ${keyField.value}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const response = await fetch(`${base}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: form.dataset.method,
    headers,
    body,
  })
  const shown = [
    'link',
    'location',
    'etag',
    'allow',
    'accept-patch',
    'idempotent-replayed',
    'retry-after',
    'deprecation',
    'sunset',
    'www-authenticate',
    'request-id',
  ]
    .filter((name) => response.headers.has(name))
    .map((name) => `${name}: ${response.headers.get(name)}`)
  return [`${response.status} ${response.statusText}`, ...shown, '', indent(await response.text())].join('\n')
}

/** JSON over several lines. The text is only broken and moved, never parsed: a parser would round large numbers. */
function indent(json) {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return json.replace(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|\s+/g, (token) => {
    if (/^\s+$/.test(token)) return ''
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') {
      depth--
      return line() + token
    }
    if ('{[,'.includes(token)) return token + line()
    return token === ':' ? ': ' : token
  })
}
