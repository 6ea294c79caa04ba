import { createPetOnce, getPet, listPets, petNotFound } from '../../domain/pets.ts'
import { operation } from '../operation.ts'
import type { Resource } from '../resource.ts'
import { nextLink, readCursor } from '../wire/pagination.ts'
import { NEW_PETS, PAGES, PETS, REX } from './examples.ts'
import { ListPetsQuery, NewPet, Pet, PetStatus, Pets } from './schemas.ts'

const DEFAULT_LIMIT = 20

export const pets: Resource = {
  name: 'pets',
  description: 'The pets of the store.',
  schemas: [PetStatus, NewPet, Pet, Pets],

  declare(app, { context, baseUrl }) {
    operation(app, {
      id: 'listPets',
      method: 'GET',
      path: '/pets',
      tag: 'pets',
      scope: 'pets:read',
      summary: 'List pets',
      description:
        'Returns a page of pets in a stable order. If there are more, the `Link` header contains the URL of the next page (`rel="next"`). Following these links returns every pet that exists and matches for the whole walk exactly once.',
      query: ListPetsQuery,
      success: { status: 200, description: 'Success.', body: Pets, headers: ['NextLink'], examples: PAGES },
      errors: {
        invalid_parameter: '`status` must be one of available, pending, sold; got "Sold" — did you mean sold?',
      },
      handler: async (request) => {
        const { query } = request
        const { limit = DEFAULT_LIMIT, status, id } = query
        const page = await listPets(
          context,
          { status, ids: id },
          { limit, after: readCursor('oldest', query.cursor)?.[0] },
          request,
        )
        const headers =
          page.next === undefined
            ? []
            : ['link', nextLink(`${baseUrl}/pets`, { limit: query.limit, status, id }, page.next)]
        return { content: page.json, headers }
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
        headers: ['Location'],
        examples: PETS,
      },
      errors: { invalid_body: '`name` is required: a string. `categoryId` is required: an integer.' },
      handler: async (request, key) => {
        // Other fields of the body, even an id, are ignored.
        const { name, categoryId, status } = request.body
        const newPet = { name, categoryId, status }
        const { pet, isReplay } = await createPetOnce(context, request.principal, newPet, key, request)
        return { body: pet, headers: ['location', `${baseUrl}/pets/${pet.id}`], isReplay }
      },
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
      params: { petId: { description: 'The id of the pet.', example: 1, notFound: petNotFound } },
      success: { status: 200, description: 'Pet found.', body: Pet, examples: { pet: REX } },
      handler: async (request) => ({ content: await getPet(context, request.params.petId, request) }),
    })
  },
}
