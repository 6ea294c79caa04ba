import type { Clause, Context } from '../clause.ts'
import { expect, type Pet, petsOf, STATUSES } from '../expect.ts'
import type { Response } from '../response.ts'
import { nextOf } from '../walk.ts'

/** Walks along the links, for so many pages at most. */
async function walk({ call }: Context, query: string, limit: number, mostPages: number) {
  const met: Pet[] = []
  let next: string | undefined = query
  let response: Response
  let pages = 0
  do {
    response = await call({ path: `/pets${next}` })
    const page = petsOf(response)
    expect(response, page.length <= limit, `at most ${limit} animals on a page`)
    for (const pet of page)
      expect(response, !met.some(({ id }) => id === pet.id), `the animal ${pet.id} only once in a walk`)
    met.push(...page)
    next = nextOf(response)
    pages++
  } while (next !== undefined && pages < mostPages)
  return { met, last: response, ended: next === undefined }
}

const byIds = (pets: Pet[]) => `id=${pets.map(({ id }) => id).join()}`

function walksAll(id: string, sentence: string, limit: number, status?: string): Clause {
  return {
    id: `pagination.walk.${id}`,
    profile: 'full',
    sentence: `A walk along the links meets every pet that matches exactly once, and ends: ${sentence}.`,
    run: async (context) => {
      const herd = (await context.herd()).slice(0, 60)
      const expected = herd.filter((pet) => status === undefined || pet.status === status)
      const query = `?limit=${limit}&${byIds(herd)}${status ? `&status=${status}` : ''}`
      const { met, last, ended } = await walk(context, query, limit, 61)
      expect(last, ended, 'an end of the walk: no Link to a next page')
      const missed = expected.find(({ id: petId }) => !met.some((pet) => pet.id === petId))
      expect(last, missed === undefined, `every animal in the walk; ${missed?.id} was missed`)
      expect(last, met.length === expected.length, `${expected.length} animals in the walk, not ${met.length}`)
    },
  }
}

function linked(id: string, sentence: string, query: (herd: Pet[]) => string, more: boolean): Clause {
  return {
    id: `pagination.link.${id}`,
    profile: 'full',
    sentence,
    run: async ({ call, herd }) => {
      const response = await call({ path: `/pets?${query(await herd())}` })
      const link = response.headers.get('link') ?? ''
      expect(
        response,
        link.includes('rel="next"') === more,
        more ? 'a Link with rel="next"' : 'no Link with rel="next"',
      )
    },
  }
}

const MORE = 'If more pets follow, Link has the URL of the next page; otherwise there is none'

export const PAGINATION: Clause[] = [
  linked('more', `${MORE}: the first of many.`, () => 'limit=1', true),
  linked('default', `${MORE}: without a limit.`, () => '', true),
  linked('status', `${MORE}: of one status.`, () => 'status=sold&limit=5', true),
  linked('one-more', `${MORE}: one is left.`, (herd) => `limit=5&${byIds(herd.slice(0, 6))}`, true),
  linked(
    'exact',
    `${MORE}: the page is full, and nothing is left.`,
    (herd) => `limit=6&${byIds(herd.slice(0, 6))}`,
    false,
  ),
  linked('fewer', `${MORE}: the page is not full.`, (herd) => `limit=7&${byIds(herd.slice(0, 6))}`, false),
  linked('empty', `${MORE}: the page is empty.`, () => 'id=9223372036854775806', false),
  walksAll('ones', 'one on a page', 1),
  walksAll('sevens', 'seven on a page', 7),
  walksAll('exact', 'the last page is full', 20),
  ...STATUSES.map((status) => walksAll(status, `the ${status} ones`, 4, status)),
  {
    id: 'pagination.walk.start',
    profile: 'full',
    sentence: 'A walk never returns a pet twice: six pages from the start, while pets are added.',
    run: async (context) => {
      await context.herd()
      await walk(context, '?limit=17', 17, 6)
    },
  },
  {
    id: 'pagination.stable',
    profile: 'full',
    sentence: 'The order is stable: a page asked twice is the same page.',
    run: async ({ call, herd }) => {
      const path = `/pets?limit=30&${byIds((await herd()).slice(0, 60))}`
      const first = await call({ path })
      const again = await call({ path })
      expect(again, again.text === first.text && petsOf(again).length === 30, 'the same page as the moment before')
    },
  },
  {
    id: 'pagination.link.parameters',
    profile: 'full',
    sentence: 'The link repeats `limit`, `status` and `id` of the page, and no unknown parameter.',
    run: async ({ call, herd }) => {
      const ids = (await herd()).slice(0, 40).map(({ id }) => id)
      const response = await call({ path: `/pets?limit=2&status=sold&id=${ids.join()}&colour=red` })
      const next = new URLSearchParams(nextOf(response) ?? '')
      expect(
        response,
        [...next.keys()].toSorted().join() === 'cursor,id,limit,status',
        'limit, status, id and cursor in the link',
      )
      expect(response, next.get('limit') === '2', 'the same limit')
      expect(response, next.get('status') === 'sold', 'the same status')
      expect(response, next.get('id') === ids.join(), 'the same ids')
    },
  },
  {
    id: 'pagination.link.plain',
    profile: 'full',
    sentence: 'The link of a page without parameters has a cursor alone.',
    run: async ({ call, herd }) => {
      await herd()
      const response = await call({ path: '/pets' })
      const names = [...new URLSearchParams(nextOf(response) ?? '').keys()].join()
      expect(response, names === 'cursor', 'a cursor alone in the link', names)
    },
  },
  {
    id: 'pagination.cursor.filters',
    profile: 'full',
    sentence: 'A cursor holds only the position: the filters come from the query.',
    run: async ({ call, herd }) => {
      const pets = (await herd()).slice(0, 40)
      const first = await call({ path: `/pets?limit=4&${byIds(pets)}` })
      const seen = petsOf(first).map(({ id }) => id)
      const cursor = new URLSearchParams(nextOf(first) ?? '').get('cursor') ?? ''
      const response = await call({ path: `/pets?limit=100&status=sold&cursor=${cursor}&${byIds(pets)}` })
      const rest = pets.filter(({ id, status }) => status === 'sold' && !seen.includes(id)).map(({ id }) => id)
      const got = petsOf(response).map(({ id }) => id)
      expect(
        response,
        rest.every((id) => got.includes(id)) && got.length === rest.length,
        `the sold ones of the rest: ${rest.join()}`,
      )
    },
  },
]
