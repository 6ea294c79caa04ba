/** A `fetch` that sends each request to the next of several processes. */
export function balanced(baseUrls: () => string[]): typeof fetch {
  let turn = 0
  return (target, init) => {
    const { pathname, search } = new URL(target instanceof Request ? target.url : target)
    const urls = baseUrls()
    return fetch(new URL(pathname + search, urls[turn++ % urls.length]), init)
  }
}
