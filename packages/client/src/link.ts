const LINK = /<([^>]*)>((?:\s*;\s*[\w-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/g
const PARAMETER = /([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s",;]+))/g

/** The target of the link to the next page; undefined on the last page. */
export function nextTarget(header: string | null) {
  for (const [, target, parameters = ''] of (header ?? '').matchAll(LINK))
    for (const [, name = '', quoted, bare = ''] of parameters.matchAll(PARAMETER))
      if (/^rel$/i.test(name) && /(?:^|\s)next(?:\s|$)/i.test(quoted ?? bare)) return target
  return undefined
}
