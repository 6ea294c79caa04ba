import type { TSchema } from 'typebox'

/** A request that the service sends to clients: one of the `webhooks` of the document. */
export interface OutgoingRequest {
  /** Names it in the document. */
  id: string
  /** The resource it belongs to. */
  tag: string
  summary: string
  description: string
  headers: Record<string, { description: string; example: string }>
  /** A shared schema. */
  body: TSchema
  /** The media type of the body. */
  type: string
  examples: Record<string, unknown>
  /** What each status of the response means to the service. */
  responses: Record<string, string>
}
