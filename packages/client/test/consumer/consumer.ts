import { createPetstore, type NewPet, PetstoreError, stringify } from '@petstore/client'

/** A caller's program, the same in every engine. What it returns has passed through JSON, so digits are texts. */
export async function useClient(baseUrl: string, key: string) {
  const requestIds = new Set<string | undefined>()
  const { pets } = createPetstore({ baseUrl, key, onResponse: ({ requestId }) => requestIds.add(requestId) })

  const met: bigint[] = []
  for await (const pet of pets.list({ status: 'available' })) met.push(pet.id)

  const extremes: NewPet[] = [
    { name: 'Largest', categoryId: 9_223_372_036_854_775_807n },
    { name: 'Smallest', categoryId: -9_223_372_036_854_775_808n },
  ]
  const added: bigint[] = []
  for (const pet of extremes) added.push((await pets.create(pet)).id)
  const found = await pets.list({ ids: added }).page()

  const refusal = await pets
    .list({ limit: 101 })
    .page()
    .catch((error: unknown) => error)
  if (!(refusal instanceof PetstoreError)) throw new Error('a limit of 101 was not rejected')

  return {
    met: met.length,
    distinct: new Set(met).size,
    categoryIds: found.pets.map(({ categoryId }) => String(categoryId)),
    written: stringify({ categoryId: found.pets[0]?.categoryId }),
    requestIds: requestIds.size > 100,
    refusal: { code: refusal.code, status: refusal.status, hasRequestId: refusal.requestId !== undefined },
  }
}

/** Never run: each of these lines must not compile. */
export async function mistakes() {
  // @ts-expect-error a key is needed
  const { pets } = createPetstore({ baseUrl: 'http://127.0.0.1/v1' })
  // @ts-expect-error a number cannot hold an int64
  await pets.create({ name: 'Rex', categoryId: 7 })
  // @ts-expect-error there is no such status
  pets.list({ status: 'lost' })
  // @ts-expect-error a code is a text
  return new PetstoreError('a_code_of_a_later_version', '').code === 404
}
