// How search finds what a reader means. It runs in the browser, within script/search.js; tests import it.

/** Search for a word on the left also finds those on the right: readers know other words from elsewhere. */
const SYNONYMS = {
  429: ['rate'],
  auth: ['authentication'],
  bearer: ['authentication'],
  bigint: ['64'],
  buy: ['orders', 'order'],
  checkout: ['payment'],
  etag: ['versions'],
  hook: ['webhooks'],
  login: ['authentication'],
  mcp: ['agents'],
  offset: ['pagination'],
  page: ['pagination'],
  paging: ['pagination'],
  permission: ['scopes'],
  poll: ['events'],
  purchase: ['orders', 'order'],
  quota: ['rate'],
  refund: ['payment'],
  retry: ['idempotency'],
  sell: ['orders', 'order'],
  stream: ['events'],
  subscribe: ['webhooks'],
  throttle: ['rate'],
  token: ['authentication'],
}

/** Letters and digits: `rate_limited` and `order.placed` are two words each. */
export function wordsOf(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

// Where a word was found; lower is better.
const IN_TITLE = 0
const BEGINS_IN_TITLE = 1
const IN_PLACE = 4
const IN_TEXT = 6
const SYNONYM = 2

/**
 * Returns how well an entry matches the query, lower is better, or undefined if it does not: each word of the query, in any
 * order, is the beginning of a word of the entry, or of one that means the same.
 */
export function matcher(query) {
  const wanted = wordsOf(query).map((word) => [
    { word, cost: 0 },
    ...(Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : []).map((other) => ({ word: other, cost: SYNONYM })),
  ])
  const whole = wordsOf(query).join(' ')
  return ({ title, place, text }) => {
    if (wanted.length === 0) return undefined
    let sum = title.join(' ') === whole ? -1 : 0
    for (const alternatives of wanted) {
      const best = Math.min(...alternatives.map(({ word, cost }) => cost + costIn({ title, place, text }, word)))
      if (best === Number.POSITIVE_INFINITY) return undefined
      sum += best
    }
    return sum
  }
}

function costIn({ title, place, text }, word) {
  const begins = (each) => each.startsWith(word)
  if (title.includes(word)) return IN_TITLE
  if (title.some(begins)) return BEGINS_IN_TITLE
  if (place.some(begins)) return IN_PLACE
  return text.some(begins) ? IN_TEXT : Number.POSITIVE_INFINITY
}
