import type { Sending } from './properties.ts'
import { encode, type Request } from './request.ts'

/** The lines that send the same again from a shell, the key as $PETSTORE_KEY. */
export function repeatLines(sent: Sending[], address: string, key: string) {
  return sent.flatMap(({ requests, broken }) => {
    const [only, ...more] = requests
    return only && more.length === 0 && broken === undefined && suitsCurl(only)
      ? [curlLine(only, address, key)]
      : [netcatLine(requests, broken ?? '', address, key)]
  })
}

/** curl sends one Host, speaks HTTP/1.1 and can't be given a NUL. */
function suitsCurl({ headers, version, body = '', target }: Request) {
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host').length
  return hosts === 1 && version === '1.1' && target.startsWith('/') && !body.includes('\0') && body.length < 8_000
}

function curlLine({ method, target, headers, body, chunks }: Request, address: string, key: string) {
  const parts = ['curl', '-sig', '--path-as-is', method === 'HEAD' ? '-I' : `-X ${method}`]
  const named = new Set(headers.map(([name]) => name.toLowerCase()))
  for (const [name, value] of headers)
    if (name.toLowerCase() !== 'host') parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`, key))
  if (chunks) parts.push('-H', quote('Transfer-Encoding: chunked', key))
  // By itself curl would call the body a form.
  if (body !== undefined && !named.has('content-type')) parts.push('-H', quote('Content-Type:', key))
  if (body !== undefined) parts.push('--data-binary', quote(body, key))
  return [...parts, quote(address + target, key)].join(' ')
}

function netcatLine(requests: Request[], broken: string, address: string, key: string) {
  const { hostname, port } = new URL(address)
  const text = requests.map((request) => Object.values(encode(request)).join('')).join('') + broken
  const format = text.split(key).map((part) => escaped(part).replaceAll('%', '%%'))
  const keys = ' "$PETSTORE_KEY"'.repeat(format.length - 1)
  return `printf '${format.join('%s')}'${keys} | nc -N ${hostname} ${port}`
}

function quote(text: string, key: string) {
  return (
    text
      .split(key)
      .map((part) => (part === '' ? '' : /^[\w/.,:;=?&-]+$/.test(part) ? part : `$'${escaped(part)}'`))
      .join('"$PETSTORE_KEY"') || "''"
  )
}

/** For printf and for $'…', which read the same escapes. */
function escaped(text: string) {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", '\\x27')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n')
    .replaceAll(/[^ -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
