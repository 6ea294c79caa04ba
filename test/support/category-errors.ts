import { postJson, type startApp } from './app.ts'
import { CATEGORIES, categoryCalls } from './categories.ts'

type App = Awaited<ReturnType<typeof startApp>>

/** How to provoke each error that only operations on categories have, as the document words it. */
export async function categoryErrors({ call }: App, full: App, changed: App) {
  await full.pool.query(`insert into categories (id, name) select i, 'c' from generate_series(1, 1001) as i`)
  await changed.pool.query(`insert into categories (id, name, version) values (7, 'Dog', 4)`)
  const path = `${CATEGORIES}/7`
  const put = (body: unknown, headers: Record<string, string> = {}) => ({ ...postJson(body, headers), method: 'PUT' })
  const { remove } = categoryCalls(call)
  return {
    listCategories: {
      '400 invalid_parameter': () => call(`${CATEGORIES}?name=+`),
      '400 invalid_cursor': () => call(`${CATEGORIES}?cursor=x`),
      '409 too_many_categories': () => full.call(`${CATEGORIES}?name=c`),
    },
    putCategory: {
      '400 invalid_json': () => call(path, put('{')),
      '400 invalid_body': () => call(path, put('{}')),
      '400 invalid_parameter': () => call(path, put({ name: 'Dog' }, { 'if-match': '3' })),
      '404 category_not_found': () => call(`${CATEGORIES}/dogs`, put({ name: 'Dog' })),
      '412 version_mismatch': () => changed.call(path, put({ name: 'Dog' }, { 'if-match': '"3"' })),
      '413 payload_too_large': () => call(path, put(' '.repeat(65_537))),
      '415 unsupported_media_type': () => call(path, put('x', { 'content-type': 'text/plain' })),
    },
    deleteCategory: {
      '400 invalid_parameter': () => remove(7n, { 'if-match': '3' }),
      '404 category_not_found': () => remove(999n),
      '412 version_mismatch': () => categoryCalls(changed.call).remove(7n, { 'if-match': '"3"' }),
    },
  }
}
