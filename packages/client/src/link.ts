const LINK = /<([^>]*)>((?:\s*;\s*[\w-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/g
const NEXT = /;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next(?![^\s;]))/i

/** The target of the link to the next page; undefined on the last page. */
export function nextTarget(link: string | null) {
  for (const [, target, parameters] of (link ?? '').matchAll(LINK)) if (NEXT.test(parameters ?? '')) return target
  return undefined
}
