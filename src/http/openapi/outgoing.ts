import type { OutgoingRequest } from '../wire/operation.ts'
import { asExamples, schemaOrRef } from './schemas.ts'
import type { OutgoingObject } from './types.ts'

export function describeOutgoing(request: OutgoingRequest): OutgoingObject {
  const { id, summary, tag, description, headers, body, type, examples, responses } = request
  return {
    operationId: id,
    summary,
    tags: [tag],
    description,
    // Signed, and without an API key.
    security: [],
    parameters: Object.entries(headers).map(([name, header]) => ({
      name,
      in: 'header',
      required: true,
      description: header.description,
      schema: { type: 'string' },
      example: header.example,
    })),
    requestBody: {
      required: true,
      content: { [type]: { schema: schemaOrRef(body), examples: asExamples(examples) } },
    },
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, meaning]) => [status, { description: meaning }]),
    ),
  }
}
