/** Without user, query and fragment. No message repeats them: they may be secrets, and messages end up in logs. */
export function readBaseUrl(baseUrl: string | URL) {
  if (!baseUrl) throw new TypeError(`\`baseUrl\` is missing. Pass ${EXAMPLE}; is its environment variable set?`)
  const text = String(baseUrl)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    // A URL that lacks only its scheme: a host, a port, a path.
    const [host] = /^[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/.exec(text) ?? []
    const scheme = /^(?:localhost|127\.)/.test(text) ? 'http' : 'https'
    const fix = host ? `Did you mean ${scheme}://${host}?` : `Pass ${EXAMPLE}.`
    throw new TypeError(`\`baseUrl\` must be a URL that starts with http:// or https://. ${fix}`)
  }
  const path = url.pathname.replace(/\/+$/, '')
  if (path === '')
    throw new TypeError(`\`baseUrl\` must include the version of the API. Did you mean ${url.origin}/v1?`)
  return url.origin + path
}

const EXAMPLE = 'the URL of the service with its version, like https://pets.example/v1'
