import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import type { WebhookSettings } from '../domain/webhooks.ts'
import type { BuildInfo } from '../lib/build-info.ts'
import type { Admission } from './gate/admission.ts'
import type { RateLimits } from './gate/rate-limits.ts'
import type { OutgoingRequest } from './wire/operation.ts'

/** The operations on one kind of thing. */
export interface Resource {
  /** The tag of its operations in the document. */
  name: string
  description: string
  /** The schemas that its operations and other schemas refer to, each with its `$id`. */
  schemas: readonly TSchema[]
  /** The requests that the service itself sends, by their names in the document. */
  sends?: Record<string, OutgoingRequest>
  declare: (app: FastifyInstance, dependencies: Dependencies) => void
}

/** Dependencies of operations besides the store, which each request brings. */
interface Dependencies {
  /** The base of the URLs in responses. */
  baseUrl: string
  rateLimits: RateLimits
  admission: Admission
  webhookSettings: WebhookSettings
  build: BuildInfo
}
