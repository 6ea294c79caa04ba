import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import type { WebhookSettings } from '../domain/webhooks.ts'
import type { Admission } from './gate/admission.ts'
import type { RateLimits } from './gate/rate-limits.ts'
import type { OutgoingRequest } from './wire/operation.ts'

/** A part of the interface: operations on one kind of thing. */
export interface Resource {
  /** The tag of its operations in the document. */
  name: string
  description: string
  /** The schemas that its operations and other schemas refer to, each with its `$id`. */
  schemas: readonly TSchema[]
  /** What the service itself sends, by the names that the document has for it. */
  sends?: Record<string, OutgoingRequest>
  declare: (app: FastifyInstance, dependencies: Dependencies) => void
}

/** What operations depend on besides the store, which each request brings. */
interface Dependencies {
  /** What the URLs in responses begin with. */
  baseUrl: string
  rateLimits: RateLimits
  admission: Admission
  webhookSettings: WebhookSettings
}
