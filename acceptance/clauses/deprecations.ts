import { setTimeout as sleep } from 'node:timers/promises'
import type { Clause, Context } from '../clause.ts'
import { expect, expectError, expectStatus, jsonOf } from '../expect.ts'

const PATIENCE_MS = 10_000
const PAUSE_MS = 250
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

interface Use {
  operation?: unknown
  calls?: unknown
  [field: string]: unknown
}

async function usesOf({ call }: Context) {
  const response = await call({ path: '/deprecations' })
  expectStatus(response, 200)
  const body = jsonOf(response)
  expect(response, Array.isArray(body), 'a bare JSON array')
  const use = (body as Use[]).find(({ operation }) => operation === 'getPet') ?? {}
  return { response, use, calls: typeof use.calls === 'bigint' ? use.calls : 0n }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

export const DEPRECATIONS: Clause[] = [
  {
    id: 'deprecations.counted',
    profile: 'full',
    sentence:
      'GET /deprecations shows within seconds that this key used getPet, how often and when, and what replaces it.',
    run: async (context) => {
      const before = await usesOf(context)
      await context.call({ path: `/pets/${(await context.pet()).id}` })
      const deadline = performance.now() + PATIENCE_MS
      let now = await usesOf(context)
      while (now.calls <= before.calls && performance.now() < deadline) {
        await sleep(PAUSE_MS)
        now = await usesOf(context)
      }
      const { response, use, calls } = now
      const [first, last] = [text(use['firstCalled']), text(use['lastCalled'])]
      expect(response, calls > before.calls, `\`calls\` above ${before.calls}`)
      expect(response, use['method'] === 'GET', '`method` GET')
      expect(response, text(use['path']).endsWith('/pets/{petId}'), '`path` …/pets/{petId}')
      expect(response, text(use['successor']).endsWith('/pets?id={petId}'), '`successor` …/pets?id={petId}')
      expect(response, use['sunset'] === '2030-12-05', '`sunset` 2030-12-05')
      expect(response, text(use['documentation']).includes('/docs#'), '`documentation`, a section of the docs')
      expect(response, INSTANT.test(first) && INSTANT.test(last), '`firstCalled` and `lastCalled`, in UTC')
      expect(response, first <= last, '`firstCalled` not after `lastCalled`')
    },
  },
  {
    id: 'deprecations.no-key',
    profile: 'full',
    sentence: 'GET /deprecations needs a key.',
    run: async ({ call }) =>
      expectError(await call({ path: '/deprecations', authorization: null }), 401, 'missing_credentials'),
  },
]
