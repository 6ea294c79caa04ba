import { backoff, sleep } from './backoff.ts'
import type { Connection } from './connection.ts'
import { PetstoreError } from './errors.ts'
import { type EventPage, follow } from './feed.ts'
import { PET_RECORD, type PetRecord, type PetstoreEvent } from './kinds.ts'
import { fetchPage, walk } from './lists.ts'
import type { CallOptions } from './options.ts'

// Why the copy is exact, whatever happens in between:
//
// - The cursor is older than the walk, and events are applied only after it. What the walk missed or saw too early has an event after
//   the cursor; what it saw later than that event has a higher version than the event, which is then skipped.
// - Events of one pet come in the order of versions, and its delete is the last. So an older event can bring back a deleted pet only
//   until the delete comes, and no list of deleted pets is needed: after its delete was applied, neither a walk nor an event has it.
// - Pets of an import have no events of their own, so its event leads to a read of the ids that it names, or to another walk if it names
//   none. That one only adds: what it does not return was deleted, and its delete is still to come.
// - A cursor is handed out only when the copy contains all that is before it. After a crash events come again; they are skipped, or
//   lead to the same end.
// - When the cursor is no longer valid, the store may have been restored, and have lower versions than the copy: it is made again.

/** Where a copy of all pets is kept: a `Map`, or a table of your own. Each call is awaited before the next. */
export interface PetCopy {
  /** The pet, or only its version; undefined if the copy does not have it. */
  get(id: bigint): Awaitable<{ readonly version: bigint } | undefined>
  set(id: bigint, pet: PetRecord): unknown
  /** May be called for a pet that the copy does not have. */
  delete(id: bigint): unknown
  /** Before a copy is made, at first and after `cursor_expired`. */
  clear(): unknown
}

type Awaitable<Value> = Value | Promise<Value>

export interface MirrorOptions extends CallOptions {
  /** `next` of the last page, to continue with the copy as it is. Without it, the copy is made again. */
  cursor?: string | undefined
}

/** Each page comes when the copy contains it; the first when the copy is complete. */
export async function* mirror(
  connection: Connection,
  copy: PetCopy,
  { cursor, signal }: MirrorOptions = {},
): AsyncGenerator<EventPage, void, void> {
  for (let from = cursor; ; from = undefined) {
    try {
      yield* maintain(connection, copy, from, signal)
    } catch (error) {
      if (!(error instanceof PetstoreError) || error.code !== 'cursor_expired') throw error
      // After a restore all mirrors are made again; better not at the same moment.
      await sleep(backoff(4), signal)
    }
  }
}

async function* maintain(
  connection: Connection,
  copy: PetCopy,
  cursor: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventPage, void, void> {
  let isComplete = cursor !== undefined
  for await (const page of follow(connection, { cursor, from: 'now', signal })) {
    if (!isComplete) await copy.clear()
    for (const event of page.events) await apply(copy, event)
    const imports = page.events.filter(({ type }) => type === 'pets.imported')
    if (!isComplete || imports.some(({ data }) => !data.idRanges))
      for await (const pet of walk(connection, { ...ALL_PETS, signal })) await take(copy, pet)
    else
      for (const ids of pagesOf(imports))
        for (const pet of (await fetchPage(connection, { ...petsWith(ids), signal }, undefined)).items)
          await take(copy, pet)
    isComplete = true
    yield page
  }
}

const ALL_PETS = { path: '/pets', query: { limit: undefined, view: 'full' }, kind: PET_RECORD, forever: true }
const MAX_IDS = 100
const petsWith = (ids: bigint[]) => ({ ...ALL_PETS, query: { limit: MAX_IDS, view: 'full', id: ids.join() } })

/** The ids that imports have added pets with, as many at a time as one request can ask for. */
function* pagesOf(imports: readonly PetstoreEvent[]) {
  let ids: bigint[] = []
  for (const { data } of imports)
    for (const { first, last } of data.idRanges ?? [])
      for (let id = first; id <= last; id++) {
        if (ids.push(id) < MAX_IDS) continue
        yield ids
        ids = []
      }
  if (ids.length > 0) yield ids
}

async function apply(copy: PetCopy, { type, data: { pet } }: PetstoreEvent) {
  if (!pet) return
  if (type === 'pet.deleted') await copy.delete(pet.id)
  else await take(copy, pet)
}

async function take(copy: PetCopy, pet: PetRecord) {
  const known = await copy.get(pet.id)
  if (known === undefined || known.version < pet.version) await copy.set(pet.id, pet)
}
