import assert from 'node:assert/strict'
import type pg from 'pg'
import type { Page } from 'playwright-core'
import { type Call, patchJson, postJson } from './app.ts'

// Pets as another client of the store adds and changes them, while the console is open.

export interface StoredPet {
  id: bigint
  name: string
  categoryId: bigint
  status?: string
  version: bigint
  orderId?: string
}

let lastCategory = 1_000n

/** A category that no other test uses, so that each lists its own pets only. */
export const newCategory = () => ++lastCategory

export function petsOf({ call }: { call: Call }) {
  const read = async (id: bigint) => {
    const { body } = await call(`/v1/pets?id=${id}&view=full`)
    return (body as StoredPet[])[0]
  }
  const add = async (name: string, { categoryId = newCategory(), status }: Partial<StoredPet> = {}) => {
    const response = await call('/v1/pets', postJson({ name, categoryId, status }))
    assert.equal(response.status, 201, response.text)
    return (response.body as StoredPet).id
  }
  return {
    read,
    add,
    /** As many as are wanted, all in one category, which it returns too. */
    addMany: async (count: number, categoryId = newCategory()) => {
      const ids: bigint[] = []
      for (let n = 1; n <= count; n++) ids.push(await add(`Pet ${n}`, { categoryId, status: 'available' }))
      return { categoryId, ids }
    },
    change: async (id: bigint, patch: object) => {
      const response = await call(`/v1/pets/${id}`, patchJson(patch))
      assert.equal(response.status, 200, response.text)
    },
    remove: async (id: bigint) => {
      assert.equal((await call(`/v1/pets/${id}`, { method: 'DELETE' })).status, 204)
    },
    reserve: async (petId: bigint, more: object = {}) => {
      const response = await call('/v1/store/orders', postJson({ petId, ...more }))
      assert.equal(response.status, 201, response.text)
      return (response.body as { id: string }).id
    },
    /** All pets of a category, oldest first. */
    list: async (categoryId: bigint) => {
      const { body } = await call(`/v1/pets?categoryId=${categoryId}&view=full&limit=100`)
      return body as StoredPet[]
    },
  }
}

/** Many pets of one category, with their events, in one statement. */
export async function insertPets(pool: pg.Pool, count: number, categoryId: bigint) {
  await pool.query(
    `with added as (
       insert into pets (name, category_id, status) select 'Pet ' || n, $1, 'available' from generate_series(1, $2::int) as n
       returning *)
     insert into events (pet_id, version, type, name, category_id, status)
     select id, version, 'pet.created', name, category_id, status from added`,
    [categoryId, count],
  )
}

/** The URL by which the page reads one pet. */
export const readOf = (id: bigint) => new RegExp(`/v1/pets\\?(?:.*&)?id=${id}(?:&|$)`)

/** The parts of the screen, by what a person sees of them. */
export function partsOf(page: Page) {
  const panel = page.getByRole('complementary', { name: 'Pet' })
  /** In the menu of the pet. */
  const choose = async (item: string) => {
    await panel.locator('[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  return {
    rows: page.locator('tbody tr'),
    row: (name: string) => page.locator('tbody tr').filter({ has: page.getByRole('link', { name, exact: true }) }),
    link: (name: string) => page.getByRole('table').getByRole('link', { name, exact: true }),
    panel,
    choose,
    /** The status of the pet in the panel. */
    state: (status: string) => panel.locator('.summary').getByText(status, { exact: true }),
    /** Corrects the status by hand. */
    mark: async (status: string) => {
      await choose('Correct the status…')
      const dialog = page.getByRole('dialog', { name: 'Correct the status' })
      await dialog.getByRole('radio', { name: status }).check()
      await dialog.getByRole('button', { name: 'Save' }).click()
    },
    toast: page.locator('.toast'),
    bulk: page.getByRole('region', { name: 'Selected pets' }),
    /** The ids of the rows, from above. */
    shownIds: () => page.locator('tbody .name .id').allInnerTexts(),
    /** One of the views by status, whose link also has a count. */
    tab: (name: string) =>
      page.getByRole('navigation', { name: 'Pets by status' }).getByRole('link', { name: new RegExp(`^${name}`) }),
    /** Changes the status of the selected pets. */
    markSelected: async (status: string) => {
      await page.getByRole('button', { name: 'Change status' }).click()
      await page.getByRole('menuitem', { name: `Mark as ${status}` }).click()
    },
    /** Until the feed reports changes, they may be read by the first resync. */
    live: () => page.getByText('Live', { exact: true }).waitFor(),
    /** The text of the element that has the focus. */
    focused: () => page.evaluate<string>('document.activeElement.textContent'),
  }
}
