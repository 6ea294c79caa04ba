/** Prints a page once for all equal requests that share it: their batch returns to them one after the other. */
export function once<Page>(print: (page: Page) => string) {
  let last: Page | undefined
  let json = ''
  return (page: Page) => {
    if (page !== last) json = print(page)
    last = page
    return json
  }
}
