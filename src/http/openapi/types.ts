/** The parts of an OpenAPI document that this service has. */
export interface Document {
  openapi: string
  info: { title: string; version: string; description: string; license: object }
  components: {
    headers: Record<string, { description: string; schema: object; 'x-stability'?: 'beta' }>
    securitySchemes: object
    schemas: Record<string, SchemaObject>
  }
  paths: Record<string, Record<string, OperationObject>>
  /** What the service sends. */
  webhooks?: Record<string, { post: OutgoingObject }>
  servers: { url: string; description: string }[]
  security: object[]
  tags: { name: string; description: string }[]
}

export interface OperationObject {
  operationId: string
  summary: string
  tags: string[]
  description: string
  deprecated?: boolean
  'x-sunset'?: string
  'x-stability'?: 'beta'
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject>
}

export interface OutgoingObject extends Pick<OperationObject, 'operationId' | 'summary' | 'tags' | 'description'> {
  security: []
  parameters: Parameter[]
  requestBody: { required: boolean; content: Content }
  responses: Record<string, { description: string }>
}

export interface Parameter {
  name: string
  in: string
  required: boolean
  description: string
  schema: SchemaObject
  example?: unknown
  'x-stability'?: 'beta'
}

export interface ResponseObject {
  description: string
  /** Absent where there is no body, as with 204. */
  content?: Content
  headers: Record<string, { $ref: string }>
}

type Content = Record<string, { schema: SchemaObject; examples?: Record<string, { value: unknown }> }>

export interface SchemaObject {
  type?: string | string[]
  format?: string
  enum?: (string | null)[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  default?: number | string
  description?: string
  examples?: unknown[]
  required?: string[]
  properties?: Record<string, SchemaObject>
  items?: SchemaObject
  style?: string
  explode?: boolean
  'x-stability'?: 'beta'
  'x-stability-level'?: 'beta'
  $ref?: string
}
