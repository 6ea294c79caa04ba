import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../domain/context.ts'
import { createPetOnce, getPet, listPets, type Page } from '../../domain/pets.ts'
import { closePath } from '../gate/gate.ts'
import { errorResponses } from '../openapi/error-schema.ts'
import { countDeprecatedCalls, SUNSET } from '../wire/deprecation.ts'
import { readIdempotencyKey } from '../wire/idempotency.ts'
import { nextLink, readCursor } from '../wire/pagination.ts'
import { GetPetParams, ListPetsQuery, NewPetRef } from './schemas.ts'

const DEFAULT_LIMIT = 20

// Who asks for the same page at the same time gets the same `Page`, and so the same answer, made once.
const answers = new WeakMap<Page, { body: string; links: Map<number | undefined, string[]> }>()

export const petRoutes: FastifyPluginAsyncTypebox<{ context: Context; baseUrl: string }> = async (app, options) => {
  const { context, baseUrl } = options

  app.get('/pets', {
    config: { scope: 'pets:read' },
    schema: {
      operationId: 'listPets',
      tags: ['pets'],
      summary: 'List animals',
      description:
        'Returns a page of animals in a stable order. If there are more, the `Link` header contains the URL of the next page (`rel="next"`). Following these links returns every animal that exists and matches for the whole walk exactly once.',
      querystring: ListPetsQuery,
      response: { 200: { ...Type.Ref('Pets'), description: 'Success.' }, ...errorResponses(403) },
    },
    handler: async (request, reply) => {
      const { query } = request
      const { limit = DEFAULT_LIMIT, status, id } = query
      const page = await listPets(context, { status, ids: id }, { limit, after: readCursor(query.cursor) }, request)
      const { body, links } = answers.get(page) ?? prepareAnswer(page, reply)
      // The link repeats the limit only if it was asked for.
      let link = links.get(query.limit)
      if (!link) {
        link = page.next === undefined ? [] : ['link', nextLink(baseUrl, query, page.next)]
        links.set(query.limit, link)
      }
      reply.answer(200, body, link)
    },
  })

  app.post('/pets', {
    config: { scope: 'pets:write', takesBody: true },
    schema: {
      operationId: 'createPet',
      tags: ['pets'],
      summary: 'Add an animal',
      description:
        'Adds a new animal. Once this returns 201, the animal is stored durably. With an `Idempotency-Key`, the request can be retried without adding a second one.',
      body: NewPetRef,
      response: {
        201: { ...Type.Ref('Pet'), description: 'Animal added; the body carries the assigned `id`.' },
        ...errorResponses(403, 409, 413, 415, 422),
      },
    },
    handler: async (request, reply) => {
      const key = readIdempotencyKey(request.raw)
      // Only what was asked for: a body may hold other fields too, even an id.
      const { name, categoryId, status } = request.body
      const newPet = { name, categoryId, status }
      const { pet, isReplay } = await createPetOnce(context, request.principal, newPet, key, request)
      const json = reply.code(201).serialize(pet) as string
      const headers = ['location', `${baseUrl}/pets/${pet.id}`]
      if (isReplay) headers.push('idempotent-replayed', 'true')
      reply.answer(201, json, headers)
    },
  })
  closePath(app, '/pets', 'GET', 'HEAD', 'POST')

  // The expression keeps `/pets/`, with nothing behind the slash, from being a pet; a line end is something.
  const petPath = '/pets/:petId(^[^]+$)'
  app.get(petPath, {
    config: { scope: 'pets:read' },
    onRequest: countDeprecatedCalls(context, 'getPet'),
    schema: {
      operationId: 'getPet',
      tags: ['pets'],
      summary: 'Fetch one animal',
      description: 'Returns one animal by identifier. Deprecated: use `GET /pets` with the `id` or `status` filter.',
      deprecated: true,
      params: GetPetParams,
      response: { 200: { ...Type.Ref('Pet'), description: 'Animal found.' }, ...errorResponses(403, 404) },
      'x-sunset': SUNSET,
      'x-deprecated-sunset': SUNSET,
    },
    handler: async (request, reply) => {
      const pet = await getPet(context, request.params.petId, request)
      reply.answer(200, reply.serialize(pet) as string)
    },
  })
  closePath(app, petPath, 'GET', 'HEAD')
}

function prepareAnswer(page: Page, reply: FastifyReply) {
  const answer = { body: reply.serialize(page.pets) as string, links: new Map<number | undefined, string[]>() }
  answers.set(page, answer)
  return answer
}
