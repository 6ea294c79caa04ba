// Adds a pet and walks the list, with the published client. It retries 429 and 503 as Retry-After says, follows the pages, and
// reads ids as bigint.
import { createPetstore, PetstoreError } from '@petstore/client'

const { pets } = createPetstore({
  baseUrl: process.env['PETSTORE_URL'] ?? 'http://127.0.0.1:8080/v1',
  key: process.env['PETSTORE_KEY'] ?? '',
  onRetry: ({ attempt, waitMs, error }) => console.warn(`attempt ${attempt}: ${error.code}, next in ${waitMs} ms`),
})

try {
  // Every attempt has the same Idempotency-Key. Choose it yourself if another process may repeat the request.
  const idempotencyKey = crypto.randomUUID()
  const momo = await pets.create(
    { name: 'Momo', categoryId: 9223372036854775807n, status: 'pending' },
    { idempotencyKey },
  )
  console.log(`added ${momo.id} ${momo.name} ${momo.categoryId}`)

  let count = 0
  for await (const _ of pets.list()) count++
  console.log(`${count} pets`)
} catch (error) {
  if (!(error instanceof PetstoreError)) throw error
  console.error(`${error.code} (request ${error.requestId}): ${error.message}`)
  process.exitCode = 1
}
