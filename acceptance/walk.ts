import type { Context } from './clause.ts'
import { expect } from './expect.ts'
import type { Response } from './response.ts'

/** The query of the next page, as `Link` gives it; undefined when this was the last. */
export function nextOf({ headers }: Response) {
  return /<[^>?]*(\?[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
}

/** The pages of a walk along the links, to its end; `between` is done after each of them. */
export async function pagesOf(
  { call }: Pick<Context, 'call'>,
  path: string,
  query: string,
  { most = 60, between }: { most?: number; between?: (page: Response, number: number) => Promise<unknown> } = {},
) {
  const pages: Response[] = []
  let next: string | undefined = query
  while (next !== undefined) {
    const page: Response = await call({ path: `${path}${next}` })
    pages.push(page)
    expect(page, pages.length <= most, `an end of the walk within ${most} pages`)
    await between?.(page, pages.length)
    next = nextOf(page)
  }
  return pages
}
