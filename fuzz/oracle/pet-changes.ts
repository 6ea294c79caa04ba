import type { Request } from '../request.ts'
import { readBody } from './body.ts'
import { type Condition, fulfils, readCondition } from './conditions.ts'
import type { Expectation, Knowledge, Reject } from './expectation.ts'
import { headers } from './headers.ts'
import { canonicalInt64 } from './new-pet.ts'
import { asPatch, type Patch, patched } from './pet-record.ts'
import { type Change, type PetState, possible, type Window, type World } from './world.ts'

const TYPES = ['application/merge-patch+json', 'application/json']
const LAST_ID = 2n ** 53n
const NO_PET: Expectation = { statuses: [404], codes: ['pet_not_found'] }

/** What PATCH of a pet returns, for each state that the pet may be in. */
export function judgeUpdate(
  request: Request,
  parameter: string | undefined,
  known: Knowledge,
  window: Window,
  reject: Reject,
): Expectation[] {
  const condition = conditionOf(request)
  const body = readBody(request, TYPES, reject)
  const alsoWrong = condition === 'malformed' ? ['invalid_parameter'] : []
  if (!('value' in body)) {
    // A body that was read and a header that is malformed: either may be named.
    const { statuses, codes = [] } = body
    return [statuses[0] === 400 ? { ...body, codes: [...codes, ...alsoWrong] } : body]
  }
  const patch = asPatch(body.value)
  if (!patch) return [{ statuses: [400], codes: ['invalid_body', ...alsoWrong] }]
  return judgeChange(parameter, condition, known, window, (world, pet) => update(world, pet, patch, condition))
}

export function judgeDelete(
  request: Request,
  parameter: string | undefined,
  known: Knowledge,
  window: Window,
): Expectation[] {
  return judgeChange(parameter, conditionOf(request), known, window, (world, pet) => {
    const { pet: _, ...without } = world
    const gone = { type: 'pet.deleted', pet: { ...pet, version: pet.version + 1n } }
    return pet.orderId === undefined
      ? { statuses: [204], next: () => ({ ...without, past: [...world.past, gone] }) }
      : reserved(world)
  })
}

function judgeChange(
  parameter: string | undefined,
  condition: Condition,
  known: Knowledge,
  window: Window,
  change: (world: World, pet: PetState) => Expectation,
): Expectation[] {
  if (condition === 'malformed') return [{ statuses: [400], codes: ['invalid_parameter'], says: ['If-Match'] }]
  const id = parameter === undefined ? undefined : canonicalInt64(parameter)
  if (id === undefined || id < 1n || id >= LAST_ID) return [NO_PET]
  const world = known.world(id)
  if (!world) return [OF_UNKNOWN_PET]
  return possible(world, window).map((now) => {
    const { pet } = now
    if (!pet) return { ...NO_PET, next: () => now }
    return fulfils(pet, condition) ? change(now, pet) : mismatch(now, pet, condition)
  })
}

function update(world: World, pet: PetState, patch: Patch, condition: Condition): Expectation {
  const takesBack = pet.status === 'sold' && patch.status !== undefined && patch.status !== 'sold'
  if (takesBack && !Array.isArray(condition))
    return { statuses: [428], codes: ['version_required'], says: ['If-Match'], next: () => world }
  if (pet.orderId !== undefined && patch.status !== undefined) return reserved(world)
  const after = patched(pet, patch)
  return {
    statuses: [200],
    etag: `"${after.version}"`,
    record: { ...after, id: world.petId },
    next: () => ({ ...world, pet: after, past: [...world.past, ...changesBetween(pet, after)] }),
  }
}

/** None where nothing has changed. */
function changesBetween(before: PetState, after: PetState): Change[] {
  const changed = (['categoryId', 'name', 'status'] as const).filter((name) => before[name] !== after[name]).join()
  return changed === '' ? [] : [{ type: 'pet.updated', pet: after, changed }]
}

function reserved(world: World): Expectation {
  return { statuses: [409], codes: ['pet_reserved'], next: () => world }
}

function mismatch(world: World, { version }: PetState, condition: Condition): Expectation {
  const [first = 0n, ...more] = Array.isArray(condition) ? condition : []
  const named = more.length === 0 && first > 0n && first < LAST_ID ? [String(first)] : []
  return {
    statuses: [412],
    codes: ['version_mismatch'],
    etag: `"${version}"`,
    says: [String(version), ...named],
    next: () => world,
  }
}

function conditionOf(request: Request) {
  return readCondition(headers(request, 'if-match'), headers(request, 'if-none-match'))
}

// A pet that others have added: it may be in any state.
const OF_UNKNOWN_PET: Expectation = {
  statuses: [200, 204, 404, 409, 412, 428],
  hasAnyEtag: true,
  codes: ['pet_not_found', 'pet_reserved', 'version_mismatch', 'version_required'],
}
