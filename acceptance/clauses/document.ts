import type { Clause } from '../clause.ts'
import { expect, objectOf } from '../expect.ts'

type Node = Record<string, unknown>

/** What stands at a place in the document, or undefined. */
function at(document: Node, ...path: string[]) {
  return path.reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document)
}

const GET_PET = ['paths', '/pets/{petId}', 'get']

type Saying = [id: string, sentence: string, expected: string, holds: (document: Node) => boolean]

const beta = (path: string, operationId: string): Saying => [
  operationId,
  `GET ${path} is the operation \`${operationId}\`, marked beta.`,
  `${operationId} with x-stability and x-stability-level beta`,
  (document) =>
    at(document, 'paths', path, 'get', 'operationId') === operationId &&
    ['x-stability', 'x-stability-level'].every((name) => at(document, 'paths', path, 'get', name) === 'beta'),
]

const SAYS: Saying[] = [
  [
    'version',
    'The version of the interface is 1.1.0, or a later one with the major version 1.',
    'info.version 1.1.0 or later',
    (document) => /^1\.[1-9]\d*\.\d+(-dev)?$/.test(String(at(document, 'info', 'version'))),
  ],
  ['openapi', 'The document is OpenAPI 3.1.', 'openapi 3.1.x', ({ openapi }) => String(openapi).startsWith('3.1.')],
  [
    'listPets',
    'GET /pets is the operation `listPets`.',
    'listPets',
    (document) => at(document, 'paths', '/pets', 'get', 'operationId') === 'listPets',
  ],
  [
    'createPet',
    'POST /pets is the operation `createPet`.',
    'createPet',
    (document) => at(document, 'paths', '/pets', 'post', 'operationId') === 'createPet',
  ],
  [
    'getPet',
    'GET /pets/{petId} is the operation `getPet`.',
    'getPet',
    (document) => at(document, ...GET_PET, 'operationId') === 'getPet',
  ],
  [
    'deprecated',
    '`getPet` is marked deprecated.',
    'deprecated: true',
    (document) => at(document, ...GET_PET, 'deprecated') === true,
  ],
  [
    'sunset',
    '`getPet` is scheduled for removal on 5 December 2030.',
    'x-sunset and x-deprecated-sunset 2030-12-05',
    (document) => ['x-sunset', 'x-deprecated-sunset'].every((name) => at(document, ...GET_PET, name) === '2030-12-05'),
  ],
  beta('/keys/self', 'getOwnKey'),
  beta('/deprecations', 'listDeprecations'),
  [
    'stability',
    'None of the three operations carries a stability marker.',
    'no x-stability',
    (document) =>
      [['paths', '/pets', 'get'], ['paths', '/pets', 'post'], GET_PET].every(
        (path) => at(document, ...path, 'x-stability') === undefined,
      ),
  ],
]

export const DOCUMENT: Clause[] = SAYS.map(([id, sentence, expected, holds]) => ({
  id: `document.${id}`,
  profile: 'full',
  sentence: `${sentence} /openapi.json says so.`,
  run: async ({ call }) => {
    const response = await call({ path: '/openapi.json', outside: true, authorization: null })
    expect(response, holds(objectOf(response)), `${expected} in the document`)
  },
}))
