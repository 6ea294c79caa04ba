import { back, cameFrom, go, withQuery } from './router.ts'

/** The parameter that names the item in the pane. */
type Item = 'pet' | 'order'

export function nextPage(next: string, item: Item) {
  go(withQuery({ after: next, [item]: undefined }))
  scrollTo(0, 0)
}

/** Previous is the history, in which an open item may be one more step; for an address that was pasted, the first page. */
export function previousPage(item: Item) {
  const isOpened = cameFrom(withQuery({ [item]: undefined }))
  back(isOpened ? 2 : 1, withQuery({ after: undefined, [item]: undefined }))
}
