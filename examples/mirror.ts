// Keeps a copy of all pets with the published client, and prints each change, until Ctrl-C. It waits for a service that is restarted, and
// makes the copy again if the store was restored.
import { createPetstore, type PetRecord, PetstoreError } from '@petstore/client'

const { mirror } = createPetstore({
  baseUrl: process.env['PETSTORE_URL'] ?? 'http://127.0.0.1:8080/v1',
  key: process.env['PETSTORE_KEY'] ?? '',
  onRetry: ({ waitMs, error }) => console.warn(`${error.code}, next attempt in ${Math.round(waitMs)} ms`),
})

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

// A table of a database can take its place, if it has these four: get, set, delete and clear.
const copy = new Map<bigint, PetRecord>()
let isComplete = false

try {
  // With a copy that outlives the process, store `next` of each page, and pass it as `cursor` to continue there.
  for await (const { events } of mirror(copy, { signal: stop.signal })) {
    if (!isComplete) console.log(`copied ${copy.size} pets`)
    isComplete = true
    for (const { type, data } of events)
      if (data.pet) console.log(`${type}: ${describe(data.pet)}`)
      else console.log(type)
  }
} catch (error) {
  if (error instanceof PetstoreError) {
    console.error(`${error.code} (request ${error.requestId}): ${error.message}`)
    process.exitCode = 1
  } else if (!stop.signal.aborted) throw error
}
if (isComplete) console.log(`stopped with ${copy.size} pets`)

function describe({ id, name, status, version }: PetRecord) {
  return `${id} ${name} is ${status ?? 'without a status'}, version ${version}`
}
