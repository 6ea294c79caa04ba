import { deletePet, petReserved, updatePet, versionMismatch, versionRequired } from '../../domain/pet-changes.ts'
import { countPets, createPetOnce, getPet, listPets, petNotFound } from '../../domain/pets.ts'
import { operation } from '../operation.ts'
import { once } from '../print/once.ts'
import { petCountJson, petCountsJson, petJson, petPageJson, petRecordJson } from '../print/pet.ts'
import type { Resource } from '../resource.ts'
import { encodeCursor } from '../wire/cursor.ts'
import { toErrorBody } from '../wire/errors.ts'
import { nextLink, readCursor } from '../wire/pagination.ts'
import { COUNTS, COUNTS_BY_STATUS, HELD_BY, NEW_PETS, PAGES, PATCHES, PETS, RECORDS, REX } from './examples.ts'
import {
  CountPetsByStatusQuery,
  CountPetsQuery,
  DEFAULT_LIMIT,
  ListPetsQuery,
  NewPet,
  notCountedBy,
  Pet,
  PetCount,
  PetCounts,
  PetPatch,
  PetRecord,
  PetStatus,
  Pets,
} from './schemas.ts'
import { readSearch, searchPage } from './search.ts'

// Every pet is added with the version 1, and a replay shows it as it was added.
const NEW_PET_TAG = '"1"'
const PET_ID = { description: 'The id of the pet.', example: 1, notFound: petNotFound }

// Encoded once for all equal requests that share a page.
const CURSORS = {
  oldest: once((id: bigint) => encodeCursor('oldest', id)),
  newest: once((id: bigint) => encodeCursor('newest', id)),
}

export const pets: Resource = {
  name: 'pets',
  description: 'The pets of the store.',
  schemas: [PetStatus, NewPet, Pet, PetRecord, Pets, PetPatch, PetCount, PetCounts],

  declare(app, { baseUrl }) {
    operation(app, {
      id: 'listPets',
      method: 'GET',
      path: '/pets',
      tag: 'pets',
      scope: 'pets:read',
      summary: 'List pets',
      description:
        'Returns a page of pets in a stable order. If there are more, the `Link` header contains the URL of the next page (`rel="next"`). Following these links returns every pet that exists and matches for the whole walk exactly once. With `name`, a page may be short or empty and still have a next one.',
      query: ListPetsQuery,
      success: {
        status: 200,
        description: 'Success. With `view=full`, each item is a `PetRecord`.',
        body: Pets,
        headers: ['NextLink', 'SearchIncomplete'],
        examples: PAGES,
      },
      errors: {
        invalid_parameter: '`status` must be one of available, pending, sold; got "Sold" — did you mean sold?',
      },
      handler: async (request) => {
        const search = readSearch(request.query)
        if (search) return await searchPage(request, search, request.query, baseUrl)
        const { limit, status, id, categoryId, sort, view, cursor } = request.query
        const walk = sort ?? 'oldest'
        const page = await listPets(
          request.store,
          { status, categoryId, ids: id },
          { limit: limit ?? DEFAULT_LIMIT, after: readCursor(walk, cursor)?.[0], sort, view },
          request,
        )
        const content = petPageJson(page)
        if (page.next === undefined) return { content }
        // `basic` is left out: every byte is then as without it.
        const parameters = { limit, status, id, categoryId, sort, view: view === 'full' ? view : undefined }
        return { content, headers: ['link', nextLink(`${baseUrl}/pets`, parameters, CURSORS[walk](page.next))] }
      },
    })

    operation(app, {
      id: 'createPet',
      method: 'POST',
      path: '/pets',
      tag: 'pets',
      scope: 'pets:write',
      summary: 'Add a pet',
      description:
        'Adds a new pet. Once this returns 201, the pet is stored durably. With an `Idempotency-Key`, the request can be retried without adding a second one.',
      body: NewPet,
      bodyExamples: NEW_PETS,
      idempotent: true,
      success: {
        status: 201,
        description: 'Pet added; the body carries the assigned `id`.',
        body: Pet,
        headers: ['Location', 'ETag'],
        examples: PETS,
      },
      errors: { invalid_body: '`name` is required: a string. `categoryId` is required: an integer.' },
      handler: async (request, key) => {
        // Other fields of the body, even an id, are ignored.
        const { name, categoryId, status } = request.body
        const newPet = { name, categoryId, status }
        const { pet, isReplay } = await createPetOnce(request.store, request.principal, newPet, key, request)
        return {
          content: petJson(pet),
          headers: ['location', `${baseUrl}/pets/${pet.id}`, 'etag', NEW_PET_TAG],
          isReplay,
        }
      },
    })

    operation(app, {
      id: 'countPets',
      method: 'GET',
      path: '/pets/count',
      tag: 'pets',
      scope: 'pets:read',
      stability: 'beta',
      summary: 'Count pets',
      description:
        'Returns how many pets match, up to 1,000: a count of 1000 with `isMore` stands for 1,000 or more. Counting by `id` or `name` is not offered.',
      query: CountPetsQuery,
      success: { status: 200, description: 'Success.', body: PetCount, examples: COUNTS },
      errors: { invalid_parameter: notCountedBy('name') },
      handler: async (request) => {
        const { status, categoryId } = request.query
        return { content: petCountJson(await countPets(request.store, { status, categoryId }, request)) }
      },
    })

    operation(app, {
      id: 'countPetsByStatus',
      method: 'GET',
      path: '/pets/counts',
      tag: 'pets',
      scope: 'pets:read',
      stability: 'beta',
      summary: 'Count the pets of a category by status',
      description:
        'Returns how many pets of a category have each status, and how many have none: all of them as of one moment. Each count goes up to 1,000: 1000 stands for 1,000 or more. A category without pets, or without a name, is no error.',
      query: CountPetsByStatusQuery,
      success: { status: 200, description: 'Success.', body: PetCounts, examples: COUNTS_BY_STATUS },
      errors: { invalid_parameter: '`categoryId` is required: an integer.' },
      handler: async (request) => ({
        content: petCountsJson(await request.store.pets.countStatuses(request.query.categoryId, request)),
      }),
    })

    operation(app, {
      id: 'getPet',
      method: 'GET',
      path: '/pets/{petId}',
      tag: 'pets',
      scope: 'pets:read',
      deprecated: {
        since: '2026-11-14',
        sunset: '2030-12-05', // no clock ever switches it off
        successor: '/pets?id={petId}',
        section: 'get-pet',
      },
      summary: 'Fetch one pet',
      description: 'Returns one pet by id. Deprecated: use `GET /pets` with the `id` or `status` filter.',
      params: { petId: PET_ID },
      success: { status: 200, description: 'Pet found.', body: Pet, headers: ['ETag'], examples: { pet: REX } },
      handler: async (request) => {
        const pet = await getPet(request.store, request.params.petId, request)
        return { content: petJson(pet), headers: ['etag', `"${pet.version}"`] }
      },
    })

    operation(app, {
      id: 'updatePet',
      method: 'PATCH',
      path: '/pets/{petId}',
      tag: 'pets',
      scope: 'pets:edit',
      summary: 'Change a pet',
      description:
        'Changes the fields that the body has, and returns the pet with its new version. Setting the values that a pet has changes nothing and makes no new version. With `If-Match`, the pet is changed only if it still has that version. While an order holds the pet, its status belongs to the order. A pet that is sold leaves this status only with its version in `If-Match`. Setting `pending` reserves nothing: of two clients that set it, both get 200.',
      params: { petId: PET_ID },
      body: PetPatch,
      bodyExamples: PATCHES,
      conditional: true,
      success: { status: 200, description: 'The pet as it is now.', body: PetRecord, examples: RECORDS },
      errors: {
        invalid_body: 'The body must have at least one of `name`, `categoryId`, `status`.',
        pet_reserved: petReserved(1n, HELD_BY, 'its status cannot be changed').message,
        version_mismatch: toErrorBody(versionMismatch(1n, 4n, [3n])).message,
        version_required: versionRequired(1n).message,
      },
      handler: async (request, _, condition) => {
        const { name, categoryId, status } = request.body
        const change = { name, categoryId, status }
        const pet = await updatePet(request.store, request.principal, request.params.petId, change, condition, request)
        return { content: petRecordJson(pet), headers: ['etag', `"${pet.version}"`] }
      },
    })

    operation(app, {
      id: 'deletePet',
      method: 'DELETE',
      path: '/pets/{petId}',
      tag: 'pets',
      scope: 'pets:delete',
      summary: 'Delete a pet',
      description:
        'Deletes a pet. Its id is never used again. With `If-Match`, the pet is deleted only if it still has that version. A pet that an order holds cannot be deleted.',
      params: { petId: PET_ID },
      conditional: true,
      success: { status: 204, description: 'The pet is deleted.' },
      errors: {
        pet_reserved: petReserved(1n, HELD_BY, 'it cannot be deleted').message,
        version_mismatch: toErrorBody(versionMismatch(1n, 4n, [3n])).message,
      },
      handler: async (request, _, condition) => {
        await deletePet(request.store, request.principal, request.params.petId, condition, request)
        return {}
      },
    })
  },
}
